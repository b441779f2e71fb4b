import { code, day, flag, optional, whole, words } from './columns.ts'
import { csv, json, source } from './declare.ts'

const optionalCode = (headings: string, said = {}) => optional(code(headings, said))

/** A record has a text for what it lacks: the word None, or N/A. */
const absent = ['None', 'N/A', 'null']

export default source({
  key: 'cfpb-complaints',
  name: 'CFPB consumer complaints',
  publisher: 'Consumer Financial Protection Bureau',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.consumerfinance.gov/data-research/consumer-complaints/',
  what: 'Complaints about financial companies since December 2011, as published each day, with the narratives that consumers agreed to publish.',
  fetch: {
    base: 'https://files.consumerfinance.gov/ccdb',
    mostBytes: 16 * 2 ** 30,
    note: 'The whole database is some 2 GB.',
    addresses: () => [{ name: 'complaints.csv.zip', path: '/complaints.csv.zip' }],
  },
  tables: {
    complaints: {
      doc: 'A complaint that was sent to a company.',
      absent,
      columns: {
        complaint_id: whole('Complaint ID | complaint_id', { label: 'Complaint' }),
        received_date: day('Date received | date_received', { label: 'Received' }),
        sent_date: optional(
          day('Date sent to company | date_sent_to_company', { label: 'Sent to the company' }),
        ),
        company: code('Company', { doc: 'As CFPB names it: often a holding company.' }),
        product: code('Product'),
        sub_product: optionalCode('Sub-product'),
        issue: optionalCode('Issue'),
        sub_issue: optionalCode('Sub-issue'),
        state: optionalCode('State', { doc: 'Of the consumer.' }),
        zip: optional(
          words('ZIP code', { label: 'ZIP code', doc: 'Of the consumer; the last two digits may be XX.' }),
        ),
        tags: optionalCode('Tags', { doc: 'Older American, Servicemember.' }),
        submitted_via: optionalCode('Submitted via'),
        company_response: optionalCode('Company response to consumer | company_response', {
          label: 'Response to the consumer',
        }),
        public_response: optionalCode('Company public response', { label: 'Public response' }),
        timely: optional(flag('Timely response? | timely', { label: 'Timely response' })),
        disputed: optional(
          flag('Consumer disputed?', { label: 'Consumer disputed', doc: 'Asked until April 2017.' }),
        ),
        consent: optionalCode('Consumer consent provided?', { label: 'Consent to publish the narrative' }),
        narrative: optional(
          words('Consumer complaint narrative | complaint_what_happened', {
            label: 'Narrative',
            doc: 'What the consumer wrote, without personal information.',
          }),
        ),
      },
      unique: ['complaint_id'],
      order: ['company', 'received_date', 'complaint_id'],
      edition: { replaces: 'upsert' },
      time: { kind: 'day', column: 'received_date' },
      link: { entity: 'bank', own: 'company', name: 'company', seen: 'received_date', aliases: true },
      form: [csv(), json('hits.hits[]._source')],
      demo: `
        SELECT toUInt32(10000000 + cityHash64({seed:UInt64}, 'complaint', rssd_id, nth) % 89999999) AS complaint_id, lot,
          addDays(makeDate32(intDiv(last_q, 4), last_q % 4 * 3 + 3, 28), -toInt32(lot % 2500)) AS received_date,
          addDays(received_date, toInt32(lot % 4)) AS sent_date, upper(legal_name) AS company,
          products[1 + intDiv(lot, 7) % 5] AS product, CAST(NULL AS Nullable(String)) AS sub_product, issues[1 + intDiv(lot, 7) % 5] AS issue,
          CAST(NULL AS Nullable(String)) AS sub_issue, if(lot % 10 < 7, state, 'TX') AS state, concat(substring(zip, 1, 3), 'XX') AS zip,
          if(lot % 9 = 0, 'Older American', NULL) AS tags, ['Web', 'Phone', 'Referral'][1 + lot % 3] AS submitted_via,
          ['Closed with explanation', 'Closed with monetary relief', 'Closed with non-monetary relief'][1 + intDiv(lot, 3) % 3] AS company_response,
          CAST(NULL AS Nullable(String)) AS public_response, lot % 50 > 0 AS timely, CAST(NULL AS Nullable(Bool)) AS disputed,
          if(lot % 3 = 0, 'Consent provided', 'Consent not provided') AS consent,
          if(lot % 3 = 0, concat('I was charged a fee of {$', toString(lot % 90 + 10), '.00} that nobody told me of.'), NULL) AS narrative
        FROM (SELECT *, nth, cityHash64({seed:UInt64}, 'complains', rssd_id, nth) AS lot,
          (SELECT max(q) FROM demo_scenario) AS last_q,
          ['Checking or savings account', 'Mortgage', 'Credit card or prepaid card', 'Vehicle loan or lease', 'Credit reporting'] AS products,
          ['Managing an account', 'Trouble during payment process', 'Problem with a purchase shown on your statement', 'Managing the loan or lease', 'Incorrect information on your report'] AS issues
          FROM demo_banks ARRAY JOIN range(40) AS nth WHERE giant AND NOT closed)
        LIMIT 1 BY complaint_id`,
    },
  },
})
