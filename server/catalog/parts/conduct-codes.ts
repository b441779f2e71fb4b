/** Codes of branches, holding companies and conduct: what each means. */
import type { CodeList } from './agency-codes.ts'

const own = 'this project'

export const conductCodes: readonly CodeList[] = [
  {
    list: 'enforcement-type',
    source: `${own}, from the words of each agency`,
    columns: ['enforcement-feed.type', 'bank-enforcement.type', 'ncua-enforcement.type'],
    codes: {
      deposit_insurance: 'Proceeding to end deposit insurance',
      prompt_corrective_action: 'Prompt corrective action directive',
      capital_directive: 'Capital directive',
      safety_and_soundness_order: 'Safety and soundness order',
      cease_and_desist: 'Cease and desist order, consent order',
      formal_agreement: 'Written or formal agreement, memorandum of understanding',
      prohibition: 'Removal or prohibition of a person',
      suspension: 'Suspension of a person',
      civil_money_penalty: 'Civil money penalty',
      restitution: 'Restitution',
      section_19: 'Notice or letter under section 19 of the Federal Deposit Insurance Act',
      notice: 'Notice of charges, of intent or of assessment',
      change: 'Change of an earlier action',
      termination: 'End of an earlier action',
      administrative_order: 'Order of NCUA of which its list tells no type',
      other: 'Another action',
    },
  },
  {
    list: 'enforcement-agency',
    source: own,
    columns: ['enforcement-feed.agency', 'bank-enforcement.agency'],
    codes: {
      FRB: 'Federal Reserve',
      OCC: 'Office of the Comptroller of the Currency',
      FDIC: 'Federal Deposit Insurance Corporation',
    },
  },
  {
    list: 'enforcement-against',
    source: own,
    columns: ['against'],
    codes: { bank: 'The bank', holding_company: 'Its holding company alone' },
  },
  {
    list: 'branch-match',
    source: own,
    columns: ['matched_by'],
    codes: {
      number: 'By office number: the main office',
      address: 'By address',
      name: 'By name in the same place',
    },
  },
  {
    list: 'branch-deposits',
    source: 'FDIC, BRCENM',
    columns: ['bank-branches.method'],
    codes: {
      M: 'The main office',
      E: 'Estimated',
      C: 'Counted at another office',
      N: 'The office takes no deposits',
    },
  },
  {
    list: 'area',
    source: 'FDIC, from the core based statistical area',
    columns: ['area'],
    codes: {
      metropolitan: 'Metropolitan statistical area',
      micropolitan: 'Micropolitan statistical area',
      rural: 'Neither',
    },
  },
  {
    list: 'fry15-series',
    source: 'Federal Reserve, FR Y-15',
    columns: ['bank-fry15.series'],
    codes: {
      RISK: 'Domestic bank holding companies',
      RISI: 'Intermediate holding companies of foreign banks',
      RISO: 'Combined US operations of foreign banks',
    },
  },
]
