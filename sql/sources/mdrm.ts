import { computed, day, flag, hidden, list, optional, orBlank, type SourceColumn, words } from './columns.ts'
import { csv, source, tsv } from './declare.ts'

/** Descriptions are written as HTML with entities and odd spaces; the words are what is wanted. */
const withoutMarkup = (base: SourceColumn): SourceColumn => ({
  ...base,
  take: (text) =>
    [
      ['</?(br|p|div|li|ul|ol|tr|td)[^<>]*>', ' '],
      ['<[^<>]+>', ''],
      ['(?i)&(nbsp|#160|#xa0|#x?0*(d|a|13|10));', ' '],
      ['(?i)&lt;', '<'],
      ['(?i)&gt;', '>'],
      ['(?i)&quot;', '"'],
      ['(?i)&amp;', '&'],
      ['\\\\s+', ' '],
    ].reduce((sql, [pattern, by]) => `replaceRegexpAll(${sql}, '${pattern}', '${by}')`, text),
})

export default source({
  key: 'mdrm',
  name: 'Micro Data Reference Manual',
  publisher: 'Board of Governors of the Federal Reserve System',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.federalreserve.gov/apps/mdrm/download_mdrm.htm',
  what: 'Name, definition, validity and reporting forms of every item that the supervisors collect.',
  howToGet: `Download MDRM.zip from https://www.federalreserve.gov/apps/mdrm/download_mdrm.htm, then:
npm run load -- mdrm MDRM.zip`,
  tables: {
    mdrm_dictionary: {
      doc: 'A validity period of an item.',
      columns: {
        mnemonic: hidden(orBlank(words('Mnemonic'))),
        item_code: hidden(orBlank(words('Item Code | MDRM Item'))),
        mdrm: computed('String', 'upper(concat(mnemonic, item_code))'),
        start_date: day('Start Date'),
        end_date: optional(
          day('End Date', { doc: 'Null while the item is in use.' }),
          '9999-12-31',
          '12/31/9999 12:00:00 AM',
        ),
        name: orBlank(withoutMarkup(words('Item Name'))),
        description: orBlank(withoutMarkup(words('Description'))),
        confidential: optional(flag('Confidentiality | Confidential')),
        forms: orBlank(list('Reporting Form | Reporting Forms', ';,')),
      },
      checks: { "match(mdrm, '^[A-Z0-9]{6,12}$')": "concat('“', mdrm, '” is no MDRM code')" },
      unique: ['mdrm', 'start_date'],
      edition: { replaces: 'all' },
      time: { kind: 'valid', from: 'start_date', to: 'end_date' },
      form: [csv(), tsv()],
    },
  },
})
