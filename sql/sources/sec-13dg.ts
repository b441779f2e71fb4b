/** Schedules 13D and 13G: who beneficially owns more than five percent of a class of a registrant's shares. */
import { code, day, decimal, list, optional, orBlank, orNull, upper, whole, words } from './columns.ts'
import { hook, source } from './declare.ts'
import { edgar, sec } from './sec.ts'
import { beneficialOwnersDemo } from './sec-13dg-demo.ts'
import { documentsLacking, filingsLacking } from './sec-documents.ts'
import { ofRegistrants } from './sec-securities.ts'

const shares = (heading: string, label: string) => optional(decimal(heading, { label }))

export default source({
  key: 'sec-13dg',
  name: 'SEC Schedules 13D and 13G',
  ...sec,
  address: 'https://www.sec.gov/search-filings',
  what: 'Beneficial owners of more than five percent of a class of shares of bank registrants, by the XML documents of December 2024 and later.',
  fetch: edgar({
    base: 'https://www.sec.gov/Archives',
    note: 'Each schedule of a registrant by itself, the newest first, 2,000 at a time.',
    // earlier ones are no XML
    among: filingsLacking(['SCHEDULE 13D', 'SCHEDULE 13G'], 'sec_beneficial_owners', `'2024-12-17'`),
    addresses: (asked) => documentsLacking(asked),
  }),
  howToGet: `Download primary_doc.xml of a Schedule 13D or 13G, name it by its accession number (0000070858-25-000399.xml) or put several
into a zip with a folder each, and then: npm run load -- sec-13dg FILE`,
  tables: {
    sec_beneficial_owners: {
      doc: 'A reporting person of a Schedule 13D or 13G, or of an amendment of one.',
      columns: {
        accession_number: words('accession', { label: 'Accession number' }),
        filed_date: day('filed', { label: 'Filed' }),
        form: code('form', {
          label: 'Form',
          take: (text) => `replaceOne(upper(${text}), 'SCHEDULE ', 'SC ')`,
        }),
        amendment: orNull(whole('amendment', { label: 'Amendment' })),
        event_date: orNull(day('event', { label: 'Event', doc: 'The day that made the filing due.' })),
        class: optional(words('class', { label: 'Class of securities' })),
        cik: whole('issuer cik', { label: 'CIK', doc: 'Of the issuer.' }),
        issuer: words('issuer name', { label: 'Issuer' }),
        cusip: orBlank(upper(words('cusip', { label: 'CUSIP' }))),
        number: whole('person number', { label: 'Number of the person' }),
        person_cik: orNull(whole('person cik', { label: 'CIK of the person' })),
        person: words('person', { label: 'Reporting person' }),
        person_types: orBlank(
          list('type', ',', { label: 'Kinds of person', doc: 'Such as IA, an investment adviser, or HC.' }),
        ),
        citizenship: orBlank(
          code('citizenship', { label: 'Citizenship or place of organisation', doc: 'EDGAR’s code.' }),
        ),
        shares: shares('owned', 'Shares owned beneficially'),
        percent: optional(decimal('percent', { label: 'Percent of the class', unit: 'percent' })),
        sole_voting: shares('sole voting', 'Sole voting power'),
        shared_voting: shares('shared voting', 'Shared voting power'),
        sole_dispositive: shares('sole dispositive', 'Sole dispositive power'),
        shared_dispositive: shares('shared dispositive', 'Shared dispositive power'),
        purpose: optional(
          words('purpose', { label: 'Purpose of the transaction', doc: 'Of a Schedule 13D.' }),
        ),
      },
      unique: ['accession_number', 'number'],
      order: ['cik', 'filed_date', 'accession_number', 'number'],
      edition: { replaces: 'upsert', same: ['accession_number'] },
      time: { kind: 'day', column: 'filed_date' },
      keep: ofRegistrants,
      form: hook('sec-13dg', {
        begins: (text) =>
          /<(\w+:)?edgarSubmission\b[^<>]*schedule13[dg]/i.test(text.slice(0, 4000)) ||
          /^CONFORMED SUBMISSION TYPE:[ \t]*SCHEDULE 13[DG]/m.test(text.slice(0, 4000)),
        expected: 'a Schedule 13D or 13G as XML',
        bundled: true,
      }),
      demo: beneficialOwnersDemo,
    },
  },
})
