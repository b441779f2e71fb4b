import { OCC_CHARTER } from '../entities/link.ts'
import { day, dollars, hidden, list, optional, orBlank, orNull, whole, words } from './columns.ts'
import { json, source } from './declare.ts'
import { ENFORCEMENT, enforcementTable, stateOf } from './enforcement.ts'

const texts = (heading: string) => hidden(orBlank(list(heading, '\n', { absent: ['N/A'] })))

const raw = {
  bank: hidden(orBlank(words('Institution'))),
  charter: hidden(orNull(whole('CharterNumber', { absent: ['0'] }))),
  company: hidden(orBlank(words('Company'))),
  individual: hidden(orBlank(words('Individual'))),
  location: hidden(orBlank(words('Location'))),
  type_code: hidden(orBlank(words('TypeCode'))),
  description: hidden(words('TypeDescription')),
  amount: hidden(optional(dollars('Amount'), 'N/A')),
  effective: hidden(day('StartDate')),
  start_documents: texts('StartDocuments'),
  terminated: hidden(optional(day('TerminationDate'), 'N/A')),
  end_documents: texts('TerminationDocuments'),
  docket: hidden(orBlank(words('DocketNumber', { absent: ['N/A'] }))),
  matters: texts('SubjectMatters'),
}

const place = (index: number) => `trimBoth(splitByChar(',', assumeNotNull(location))[${index}])`

export default source({
  key: 'occ-enforcement',
  name: 'OCC enforcement actions',
  publisher: 'Office of the Comptroller of the Currency',
  licence: 'Public domain (work of the United States government)',
  address: 'https://apps.occ.gov/EASearch',
  what: 'Every formal enforcement action of the OCC (and of the OTS) since 1989, against institutions and persons.',
  fetch: {
    base: 'https://apps.occ.gov/EASearch',
    addresses: () => [
      { name: 'enforcement-actions.json', path: '/Search/ExportToJSON?view=Table&IsAdvanced=true' },
    ],
  },
  // searches exported apart are parts of the whole
  together: () => 'export',
  tables: {
    [ENFORCEMENT]: {
      ...enforcementTable('OCC', raw, {
        id: `lower(hex(sipHash64(bank, company, individual, type_code, effective, docket, start_documents)))`,
        number: `coalesce(nullIf(docket, ''), nullIf(start_documents[1], ''))`,
        agencyType: 'description',
        institution: `coalesce(nullIf(bank, ''), nullIf(company, ''))`,
        parties: `if(bank = '' AND company = '', [], [(if(bank = '', company, bank), ${place(1)}, ${stateOf(place(-1))},
          if(charter IS NULL, '', concat('${OCC_CHARTER} ', toString(assumeNotNull(charter)))))])`,
        persons: `if(individual = '', [], [individual])`,
        start: 'effective',
        end: 'terminated',
        penalty: 'nullIf(amount, 0)',
        documents: `arrayMap(one -> concat('https://www.occ.gov/static/enforcement-actions/ea', one, '.pdf'),
          arrayDistinct(arrayFilter(one -> one != 'N/A', arrayConcat(start_documents, end_documents))))`,
        subjects: 'matters',
        note: 'NULL',
      }),
      form: json('[]'),
    },
  },
})
