/** A source of filings in an agency's format, as a declaration of its own would have it. */
import { orBlank, words } from '../../sql/sources/columns.ts'
import { csv } from '../../sql/sources/declare.ts'
import { itemSource } from '../../sql/sources/items.ts'

const about = {
  publisher: 'A test',
  licence: 'None',
  address: 'https://test.example',
  what: 'Filings.',
}

/** The bulk file of FR Y-9C: one file, a line a holding company, `^` or commas between its 2,500 columns. */
export const fry9c = itemSource({
  ...about,
  key: 'test-fr-y-9c',
  name: 'FR Y-9C',
  entity: 'institution',
  id: { heading: 'RSSD9001', column: 'rssd_id', called: 'RSSD ID' },
  date: /^RSSD9999$/,
  form: [csv({ delimiter: '^', quoted: false, endsLines: true }), csv({ endsLines: true })],
  archive: /^BHCF(?<date>\d{8})\.zip$/i,
  called: { edition: 'an FR Y-9C quarter', expected: 'expected BHCFYYYYMMDD.txt' },
  filers: {
    table: 'test_holders',
    doc: 'A holding company that filed.',
    member: /^(ex_)?(?<part>BHCF)((?<date>\d{8})\.txt|\d{4}\.csv)$/i,
    called: 'the file',
    file: 'BHCFYYYYMMDD.txt',
    columns: { name: words('RSSD9017'), city: orBlank(words('RSSD9130')) },
  },
  items: {
    table: 'test_holder_items',
    doc: 'An item that a holding company filed.',
    member: /^(ex_)?(?<part>BHCF)((?<date>\d{8})\.txt|\d{4}\.csv)$/i,
    called: 'report',
    code: 'mdrm',
    part: 'report',
    heading: /^\w{3,17}$/,
    expected: 'an MDRM code such as BHCK2170',
    absent: ['NA'],
    kinds: { number: 1, text: null },
    kind: (mdrm) => (/^(TEXT|RSSD|BHTX|ID_)/.test(mdrm) ? 'text' : 'number'),
  },
})
