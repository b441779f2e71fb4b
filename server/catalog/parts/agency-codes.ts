/** Codes that agencies gave: what each means. */

import { stateNames } from '../../../sql/states.ts'
import { peerGroups } from '../../../sql/universes/bank/ubpr/peer-groups.ts'

export interface CodeList {
  readonly list: string
  readonly source: string
  /** Columns that have these codes: a name, or `dataset.name` where a name is not the same everywhere. */
  readonly columns: readonly string[]
  readonly codes: Readonly<Record<string, string>>
}

// biome-ignore format: a list reads best as lines of it
const tenors = [
  '4W', '6W', '8W', '13W', '17W', '26W', '52W', '1M', '1.5M', '2M', '3M', '4M', '6M',
  '1Y', '2Y', '3Y', '5Y', '7Y', '10Y', '20Y', '30Y',
]
const length = (tenor: string) =>
  `${tenor.slice(0, -1)} ${{ W: 'weeks', M: 'months', Y: 'years' }[tenor.slice(-1)]}`

export const agencyCodes: readonly CodeList[] = [
  {
    list: 'charter',
    source: 'FDIC, BKCLASS',
    columns: ['charter'],
    codes: {
      N: 'National bank, member of the Federal Reserve, supervised by the OCC',
      NM: 'State commercial bank, not a member of the Federal Reserve',
      NC: 'Noninsured commercial bank',
      SM: 'State commercial bank, member of the Federal Reserve',
      SI: 'State bank, insured, of a class that is no longer used',
      SB: 'Savings bank, state charter, supervised by the FDIC',
      SA: 'Savings association, state or federal charter',
      SL: 'State savings and loan association',
      OI: 'Insured branch of a foreign bank',
      CU: 'Credit union',
      NS: 'Noninsured stock savings bank',
    },
  },
  {
    list: 'regulator',
    source: 'FDIC, REGAGNT',
    columns: ['regulator'],
    codes: {
      OCC: 'Office of the Comptroller of the Currency',
      FDIC: 'Federal Deposit Insurance Corporation',
      FED: 'Federal Reserve',
      OTS: 'Office of Thrift Supervision, to 2011',
      NCUA: 'National Credit Union Administration',
      STATE: 'State authority alone',
    },
  },
  {
    list: 'form',
    source: 'FFIEC',
    columns: ['form'],
    codes: {
      '031': 'Report of a bank with domestic and foreign offices, or of $100 billion and more',
      '041': 'Report of a bank with domestic offices only',
      '051': 'Short report of a bank with domestic offices only and less than $5 billion, since 2017',
      'FR Y-9C': 'Consolidated report of a holding company',
      'FR Y-9LP': 'Report of the parent alone of a large holding company',
      'FR Y-9SP': 'Report of the parent alone of a small holding company, in June and December',
    },
  },
  {
    list: 'state',
    source: 'USPS',
    columns: ['hq_state', 'state', 'acquirer_state'],
    codes: stateNames,
  },
  {
    list: 'state-kind',
    source: 'USPS',
    columns: ['reference-states.kind'],
    codes: {
      state: 'One of the fifty states',
      district: 'The District of Columbia',
      territory: 'Territory of the United States',
      'freely associated state': 'Sovereign state in free association with the United States',
    },
  },
  {
    list: 'pca-category',
    source: '12 CFR 324.403',
    columns: [],
    codes: {
      1: 'Well capitalised',
      2: 'Adequately capitalised',
      3: 'Undercapitalised',
      4: 'Significantly undercapitalised',
      5: 'Critically undercapitalised',
    },
  },
  {
    list: 'capital-measure',
    source: '12 CFR 324.403',
    columns: ['nearest_measure'],
    codes: {
      total_capital: 'Total capital to risk-weighted assets',
      tier1: 'Tier 1 capital to risk-weighted assets',
      cet1: 'Common equity tier 1 capital to risk-weighted assets',
      leverage: 'Tier 1 capital to average assets',
    },
  },
  {
    list: 'place',
    source: 'Census divisions',
    columns: ['place'],
    codes: {
      'same state': 'Head office in the same state',
      'same division': 'Head office in the same Census division',
      elsewhere: 'Head office elsewhere',
    },
  },
  {
    list: 'ubpr-peer-group',
    source: 'FFIEC, Uniform Bank Performance Report (docs/formulas.md)',
    columns: ['peer_group'],
    codes: Object.fromEntries(peerGroups.map(({ key, label }) => [key, label])),
  },
  {
    list: 'frequency',
    source: 'FRED',
    columns: ['frequency'],
    codes: {
      daily: 'Each business day',
      weekly: 'Once a week',
      monthly: 'Once a month',
      quarterly: 'Once a quarter',
    },
  },
  {
    list: 'tenor',
    source: 'US Treasury',
    columns: ['tenor'],
    codes: Object.fromEntries(tenors.map((tenor) => [tenor, length(tenor)])),
  },
  {
    list: 'deposit-product',
    source: 'FDIC, National Rates and Rate Caps',
    columns: ['product'],
    codes: {
      savings: 'Savings account',
      interest_checking: 'Interest checking account',
      money_market: 'Money market account',
      ...Object.fromEntries(
        [1, 3, 6, 12, 24, 36, 48, 60].map((months) => [
          `cd_${months}m`,
          `${months}-month certificate of deposit`,
        ]),
      ),
    },
  },
  {
    list: 'failure-kind',
    source: 'FDIC, RESTYPE',
    columns: ['failures.kind'],
    codes: { FAILURE: 'The institution was closed', ASSISTANCE: 'It was helped and stayed open' },
  },
  {
    list: 'failure-resolution',
    source: 'FDIC, RESTYPE1',
    columns: ['resolution'],
    codes: {
      'A/A': 'Assistance to an open institution',
      IDT: 'Insured deposits transferred to another institution',
      MGR: 'Management taken over, assets and liabilities sold later',
      PA: 'Purchase and assumption of all deposits',
      PI: 'Purchase and assumption of insured deposits alone',
      'P&A': 'Purchase and assumption, to the 1990s',
      PO: 'Insured deposits paid out',
      REP: 'Reprivatisation',
    },
  },
  {
    list: 'insurance-fund',
    source: 'FDIC, SAVR',
    columns: ['insurance_fund'],
    codes: {
      FDIC: 'Federal Deposit Insurance Corporation, to 1989',
      FSLIC: 'Federal Savings and Loan Insurance Corporation, to 1989',
      RTC: 'Resolution Trust Corporation',
      BIF: 'Bank Insurance Fund, 1989 to 2006',
      SAIF: 'Savings Association Insurance Fund, 1989 to 2006',
      DIF: 'Deposit Insurance Fund, since 2006',
    },
  },
]
