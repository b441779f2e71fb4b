import { CERTIFICATE, numbered } from '../entities/link.ts'
import { code, day, optional, ref, thousands, whole, words } from './columns.ts'
import { csv, json, source } from './declare.ts'
import { bankFind, bankFindBase } from './fetch.ts'

const cert = (headings: string) => ref('certificate', headings, { label: 'FDIC certificate' })

/** Of the quarter after the last report: a demo bank's number of a quarter is four times the year and the quarter less one. */
const closing = `makeDate32(intDiv(b.close_q + 1, 4), (b.close_q + 1) % 4 * 3 + 1 + b.h % 3, 1 + intDiv(b.h, 7) % 28)`
const failed = `
    SELECT b.cert AS cert, b.rssd_id AS rssd_id, b.legal_name AS legal_name, b.city AS city, b.state AS state, b.h AS h,
      b.charter_class AS charter_class, b.final_assets AS final_assets, ${closing} AS closed_on, a.legal_name AS buyer_name, upper(a.city) AS buyer_city, a.state AS buyer_state, row_number() OVER (ORDER BY closed_on, b.rssd_id) AS place
    FROM demo_banks AS b
    LEFT JOIN demo_takeovers AS t ON t.target = b.i
    LEFT JOIN demo_banks AS a ON a.rssd_id = tupleElement(t.buyer, 1)
    WHERE b.exit = 'failure'`

/**
 * Before the demo's first quarter too, with what those years were like: many failures in the 1930s, the 1980s and after
 * 2008, hardly any between. Those banks are in no other table.
 */
const failedBefore = `
    SELECT
        cityHash64({seed:UInt64}, 'failed before', number) AS h,
        toUInt16([1934, 1943, 1981, 1994, 2008, 2015][1 + h % 6] + intDiv(h, 100) % [9, 38, 13, 14, 7, 2][1 + h % 6]) AS year,
        p.town_name AS city, p.state AS state
    FROM numbers(1500) AS n
    INNER JOIN (SELECT city AS town_name, state, toUInt64(row_number() OVER (ORDER BY state, town) - 1) AS place FROM demo_places) AS p
        ON p.place = intDiv(cityHash64({seed:UInt64}, 'place', number), 1000) % assumeNotNull((SELECT count() FROM demo_places))
    WHERE year < (SELECT intDiv(min(q), 4) FROM demo_scenario WHERE filed)`
const failureFields =
  'ID CERT NAME CITYST FAILDATE RESDATE RESTYPE RESTYPE1 BIDNAME BIDCITY BIDSTATE CHCLASS1 SAVR FIN QBFASSET QBFDEP COST'.split(
    ' ',
  )

export default source({
  key: 'fdic-failures',
  name: 'FDIC failed banks',
  publisher: 'Federal Deposit Insurance Corporation',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.fdic.gov/bank-failures/failed-bank-list',
  what: 'Every insured bank that failed: since 2000 with its acquirer, since 1934 with assets, deposits and what it cost the fund.',
  fetch: {
    base: bankFindBase,
    addresses: () => [
      { name: 'banklist.csv', path: 'https://www.fdic.gov/bank-failures/download-data.csv' },
      bankFind('failures', { fields: failureFields, sort: 'ID' }),
    ],
  },
  tables: {
    failed_banks: {
      doc: 'A bank on the failed bank list, which begins in October 2000.',
      columns: {
        cert: cert('Cert'),
        name: words('Bank Name'),
        city: words('City'),
        state: code('State | ST'),
        closed_date: day('Closing Date', { label: 'Closed' }),
        acquirer: optional(
          words('Acquiring Institution', { doc: 'Null where nobody took it over.' }),
          'No Acquirer',
        ),
        fund: optional(whole('Fund', { label: 'FDIC fund number' })),
      },
      unique: ['cert', 'closed_date'],
      edition: { replaces: 'all', newest: 'closed_date', shrink: 0.9 },
      time: { kind: 'day', column: 'closed_date' },
      link: {
        ...{
          entity: 'bank',
          own: `concat(toString(cert), ' ', toString(closed_date))`,
          numbers: numbered(CERTIFICATE, 'cert'),
        },
        ...{ name: 'name', city: 'city', state: 'state', ended: 'closed_date' },
      },
      demo: `SELECT cert, legal_name AS name, city, state, closed_on AS closed_date, nullIf(buyer_name, '') AS acquirer,
          toUInt32(90000 + place) AS fund FROM (${failed})`,
    },
    failures: {
      doc: 'A failure or an assistance transaction since 1934, as BankFind tells it.',
      columns: {
        id: whole('ID', { label: 'FDIC transaction' }),
        cert: optional(cert('CERT'), '0'),
        name: words('NAME'),
        city: optional(words('CITYST', { take: (text) => `trimBoth(splitByChar(',', ${text})[1])` })),
        state: optional(code('CITYST', { take: (text) => `trimBoth(splitByChar(',', ${text})[-1])` })),
        failed_date: day('FAILDATE', { label: 'Failed' }),
        kind: code('RESTYPE', { label: 'Kind', doc: 'FAILURE or ASSISTANCE.' }),
        resolution: optional(
          code('RESTYPE1', {
            label: 'Resolution',
            doc: 'PA, PI: an acquirer took over all or the insured deposits; PO: they were paid out; A/A: assistance.',
          }),
        ),
        resolved_date: optional(
          day('RESDATE', {
            label: 'Resolved',
            doc: 'Later than the failure where a bank was assisted at first.',
          }),
        ),
        acquirer: optional(
          words('BIDNAME', { doc: 'Who took over the bank, or most of it; null where nobody did.' }),
        ),
        acquirer_city: optional(words('BIDCITY')),
        acquirer_state: optional(code('BIDSTATE')),
        charter: optional(code('CHCLASS1', { label: 'Charter class', doc: 'FDIC charter class.' })),
        insurance_fund: optional(code('SAVR', { label: 'Insurance fund' }), '***'),
        fund: optional(
          whole('FIN', { label: 'FDIC fund number', take: (text) => `extract(${text}, '^[0-9]+')` }),
        ),
        // no bank had nothing: 0 stands for what nobody wrote down
        total_assets: optional(
          thousands('QBFASSET', { label: 'Total assets', doc: 'Of the last report before the failure.' }),
          '0',
        ),
        total_deposits: optional(
          thousands('QBFDEP', { label: 'Total deposits', doc: 'Of the last report before the failure.' }),
          '0',
        ),
        cost: optional(
          thousands('COST', {
            label: 'Estimated loss',
            doc: 'What it cost the fund, as FDIC estimates it now; null where FDIC gives none.',
          }),
        ),
      },
      unique: ['id'],
      order: ['failed_date', 'id'],
      edition: { replaces: 'upsert' },
      time: { kind: 'day', column: 'failed_date' },
      link: {
        ...{
          entity: 'bank',
          own: 'toString(id)',
          numbers: numbered(CERTIFICATE, 'cert'),
          name: 'name',
          city: 'city',
          state: 'state',
        },
        ended: `if(kind = 'FAILURE', failed_date, NULL)`,
      },
      form: [json('data[].data'), csv()],
      demo: `
        SELECT toUInt32(9000000 + place) AS id, cert, upper(legal_name) AS name, upper(city) AS city, state,
          closed_on AS failed_date, 'FAILURE' AS kind, if(buyer_name = '', 'PO', 'PA') AS resolution, closed_on AS resolved_date,
          nullIf(upper(buyer_name), '') AS acquirer, nullIf(buyer_city, '') AS acquirer_city, nullIf(buyer_state, '') AS acquirer_state, charter_class AS charter,
          'DIF' AS insurance_fund, toUInt32(90000 + place) AS fund, round(final_assets) AS total_assets,
          round(final_assets * 0.93) AS total_deposits, round(final_assets * (5 + h % 30) / 100) AS cost
        FROM (${failed})
        UNION ALL
        SELECT toUInt32(8000000 + row_number() OVER (ORDER BY year, h)) AS id, toUInt32(1100000 + id % 100000) AS cert,
          concat(upper(city), [' STATE BANK', ' SAVINGS BANK', ' TRUST COMPANY'][1 + h % 3]) AS name, upper(city) AS city, state,
          makeDate32(year, 1 + intDiv(h, 11) % 12, 1 + intDiv(h, 13) % 28) AS failed_date,
          if(h % 25 = 0, 'ASSISTANCE', 'FAILURE') AS kind, ['PA', 'PI', 'PO'][1 + intDiv(h, 17) % 3] AS resolution,
          failed_date AS resolved_date, NULL AS acquirer, NULL AS acquirer_city, NULL AS acquirer_state,
          ['NM', 'N', 'SM'][1 + h % 3] AS charter, multiIf(year < 1990, 'FDIC', year < 2006, 'BIF', 'DIF') AS insurance_fund,
          NULL AS fund, if(year < 1950 AND h % 4 = 0, NULL, round(exp(7 + (year - 1934) / 16 + h % 1000 / 400))) AS total_assets,
          round(total_assets * 0.9) AS total_deposits, if(h % 5 = 0, NULL, round(total_assets * (h % 35) / 100)) AS cost
        FROM (${failedBefore})`,
    },
  },
})
