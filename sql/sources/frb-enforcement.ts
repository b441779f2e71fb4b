import { day, hidden, optional, orBlank, words } from './columns.ts'
import { csv, source } from './declare.ts'
import { ENFORCEMENT, enforcementTable, partiesIn, penaltyIn } from './enforcement.ts'

const raw = {
  effective: hidden(day('Effective Date')),
  terminated: hidden(optional(day('Termination Date'))),
  individual: hidden(orBlank(words('Individual'))),
  affiliation: hidden(orBlank(words('Individual Affiliation'))),
  organisation: hidden(orBlank(words('Banking Organization'))),
  action: hidden(words('Action')),
  url: hidden(orBlank(words('URL'))),
  remark: hidden(orBlank(words('Note'))),
}

const named = `if(organisation = '', affiliation, organisation)`
const whole = (url: string) =>
  `if(startsWith(${url}, '/'), concat('https://www.federalreserve.gov', ${url}), ${url})`

export default source({
  key: 'frb-enforcement',
  name: 'Federal Reserve enforcement actions',
  publisher: 'Board of Governors of the Federal Reserve System',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.federalreserve.gov/supervisionreg/enforcementactions.htm',
  what: 'Every formal enforcement action of the Federal Reserve since 1989, against institutions and persons.',
  fetch: {
    base: 'https://www.federalreserve.gov',
    addresses: () => [
      { name: 'enforcementactions.csv', path: '/supervisionreg/files/enforcementactions.csv' },
    ],
  },
  tables: {
    [ENFORCEMENT]: {
      ...enforcementTable('FRB', raw, {
        // it has no number of its own
        id: `lower(hex(sipHash64(effective, individual, affiliation, organisation, action, url)))`,
        number: 'NULL',
        agencyType: `trimBoth(replaceRegexpOne(action, ',? *[$][0-9.,]+( (million|billion))?$', ''))`,
        institution: `nullIf(${named}, '')`,
        parties: partiesIn(named),
        persons: `if(individual = '', [], [individual])`,
        start: 'effective',
        end: 'terminated',
        penalty: penaltyIn('action'),
        documents: `arrayDistinct(arrayFilter(one -> one != '' AND one != 'DNE', arrayMap(one -> ${whole('one')},
          arrayConcat([assumeNotNull(url)], extractAll(assumeNotNull(remark), 'href=[\\'"]([^\\'"]+)')))))`,
        subjects: '[]::Array(String)',
        note: `nullIf(trimBoth(decodeHTMLComponent(replaceRegexpAll(assumeNotNull(remark), '<[^>]*>', ''))), '')`,
      }),
      form: csv(),
    },
  },
})
