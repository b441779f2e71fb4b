/** The codes that answers use, list by list: what each means, and who gave it that meaning. */

import { alertTypes } from '../../../sql/alerts/types.ts'
import { everyone } from '../../../sql/derive/cohorts.ts'
import { metricCategories } from '../../../sql/formula/metrics/index.ts'
import { composition, loanKinds } from '../../../sql/formula/metrics/loan-book.ts'
import { components, grades } from '../../../sql/formula/metrics/scorecard.ts'
import { sectors } from '../../../sql/formula/metrics/securities-book.ts'
import { allBanks, cohorts } from '../../../sql/universes/bank/cohorts.ts'
import { creditUnions } from '../../../sql/universes/credit-union/index.ts'
import { holdingCompanies } from '../../../sql/universes/holding-company/index.ts'
import { catalog } from '../catalog.ts'
import { agencyCodes, type CodeList } from './agency-codes.ts'
import { conductCodes } from './conduct-codes.ts'
import { insiderCodes, insidersNamedElsewhere } from './insider-codes.ts'
import { ownWords } from './own-words.ts'
import { riskCodes } from './risk-codes.ts'
import { secCodes, secNamedElsewhere } from './sec-codes.ts'
import { secFactCodes, secFactsNamedElsewhere } from './sec-fact-codes.ts'
import { structureCodes } from './structure-codes.ts'

const own = 'this project'
const groups = creditUnions.cohorts.tiers
const named = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, key]))

export const codeLists: readonly CodeList[] = [
  ...agencyCodes,
  ...conductCodes,
  ...structureCodes,
  ...secCodes,
  ...secFactCodes,
  ...riskCodes,
  ...insiderCodes,
  {
    list: 'cohort',
    source: own,
    columns: ['cohort', 'industry-benchmarks.tier'],
    codes: {
      ...Object.fromEntries(cohorts.map(({ key, label }) => [key, `Total assets: ${label}`])),
      [allBanks]: 'All banks',
      ...Object.fromEntries(
        holdingCompanies.cohorts.tiers.map(({ key, label }) => [key, `BHC Performance Report: ${label}`]),
      ),
    },
  },
  {
    list: 'ncua-asset-group',
    source: 'NCUA peer groups',
    columns: [
      ...['directory', 'snapshot', 'trends'].map((of) => `credit-union-${of}.cohort`),
      'credit-union-peer-benchmarks.tier',
    ],
    codes: {
      ...Object.fromEntries(groups.map(({ key, label }) => [key, `Total assets: ${label}`])),
      [everyone]: 'All credit unions',
    },
  },
  {
    list: 'ncua-asset-group-label',
    source: 'NCUA peer groups',
    columns: ['credit-union-peer-benchmarks.tier_label'],
    codes: { ...named(groups.map(({ label }) => label)), 'All credit unions': 'All credit unions' },
  },
  {
    list: 'ncua-charter-type',
    source: 'NCUA',
    columns: ['charter_type'],
    codes: { 1: 'Federal charter', 2: 'State charter, with shares that NCUA insures' },
  },
  {
    list: 'cohort-label',
    source: own,
    columns: ['tier_label'],
    codes: { ...named(cohorts.map(({ label }) => label)), 'All banks': 'All banks' },
  },
  {
    list: 'institution-kind',
    source: own,
    columns: ['entity'],
    codes: { bank: 'Bank', credit_union: 'Credit union', holding_company: 'Holding company' },
  },
  {
    list: 'score-component',
    source: 'Uniform Financial Institutions Rating System (letters); docs/scorecard.md (scores)',
    columns: ['component'],
    codes: Object.fromEntries(components.map(({ letter, label }) => [letter, label])),
  },
  {
    list: 'grade',
    source: 'docs/scorecard.md',
    columns: ['bank-scorecard.grade'],
    codes: {
      ...Object.fromEntries(grades.map(([grade, least]) => [grade, `Score of ${least} or more`])),
      F: `Score below ${grades.at(-1)![1]}`,
    },
  },
  {
    list: 'quartile-grade',
    source: own,
    columns: ['bank-scorecard-composite.grade', 'composite_grade'],
    codes: {
      A: 'Best quarter of the size cohort',
      B: 'Second quarter',
      C: 'Third quarter',
      D: 'Last quarter',
    },
  },
  {
    list: 'scorecard-category',
    source: own,
    columns: ['bank-scorecard-composite.category'],
    codes: {
      capital: 'Capital',
      asset_quality: 'Asset quality',
      efficiency: 'Efficiency',
      earnings: 'Earnings',
      liquidity: 'Liquidity and funding',
      securities: 'Securities',
    },
  },
  {
    list: 'loan-type',
    source: 'Call Report, Schedules RC-C, RC-N and RI-B',
    columns: ['bank-loan-portfolio.type', 'bank-scorecard-composite.type'],
    codes: {
      ...Object.fromEntries(composition.map(({ balance, label }) => [balance.replace(/_loans$/, ''), label])),
      ...Object.fromEntries(loanKinds.map(({ key, label }) => [key, label])),
      commercial_real_estate:
        'Commercial real estate that is not owner-occupied, as the guidance of 2006 measures it',
      real_estate: 'All loans secured by real estate',
      residential: '1-4 family residential, open-end and closed-end',
      consumer: 'All consumer loans',
      nondepository_financial: 'Nondepository financial institutions',
    },
  },
  {
    list: 'security-sector',
    source: 'Call Report, Schedule RC-B',
    columns: ['sector'],
    codes: Object.fromEntries(sectors.map(({ key, label }) => [key, label])),
  },
  {
    list: 'uninsured-method',
    source: own,
    columns: ['uninsured_method'],
    codes: {
      reported: 'The bank’s own estimate, Schedule RC-O memoranda 2',
      accounts: 'What accounts above the insurance limit hold above it, Schedule RC-O memoranda 1',
    },
  },
  {
    list: 'universe',
    source: own,
    columns: ['universe'],
    codes: {
      bank: 'Insured banks and savings institutions',
      credit_union: 'Credit unions insured by NCUA',
      holding_company: 'Holding companies that file FR Y-9 reports',
    },
  },
  {
    list: 'alert-type',
    source: own,
    columns: ['watchlist-alerts.type'],
    codes: alertTypes,
  },
  {
    list: 'direction',
    source: own,
    columns: ['direction'],
    codes: {
      higher: 'More is better for the condition of an institution',
      lower: 'Less is better',
      neutral: 'Neither, or both ways from some middle',
    },
  },
  {
    list: 'metric-category',
    source: own,
    columns: ['metrics.category', 'metric-detail.category'],
    codes: {
      ...Object.fromEntries(metricCategories.map((key) => [key, `Metrics of ${key.replaceAll('-', ' ')}`])),
      ubpr: 'Concepts of the Uniform Bank Performance Report',
    },
  },
  {
    list: 'dataset-category',
    source: own,
    columns: ['datasets.category', 'dataset-detail.category'],
    codes: named([...new Set(catalog.map(({ category }) => category))]),
  },
  {
    list: 'tier',
    source: own,
    columns: ['datasets.tier', 'dataset-detail.tier'],
    codes: {
      Public: 'Without a key',
      Free: 'With a free key',
      Premium: 'With a premium key',
    },
  },
  {
    list: 'result',
    source: own,
    columns: ['result'],
    codes: { one: 'data is an object', many: 'data is an array of rows' },
  },
  {
    list: 'unit',
    source: own,
    columns: ['unit'],
    codes: {
      'thousands of US dollars': 'Amount of money',
      bytes: 'Length of a file',
      percent: 'Hundredths: 1.5 is 1.5 percent',
      'percentage points': 'Difference of two percentages',
      ratio: 'One figure as a multiple of another',
      points: 'Of 100',
      count: 'Number of things',
      code: 'A number that stands for something: see the lists of codes',
      index: 'In relation to a base year',
      'billions of US dollars': 'Amount of money',
      'billions of chained 2017 dollars': 'Amount of money at the prices of 2017',
    },
  },
]

/** Columns whose codes are explained by another dataset, or by a column of the same row. */
export const namedElsewhere: Readonly<Record<string, string>> = {
  ...secNamedElsewhere,
  ...secFactsNamedElsewhere,
  'bank-complaints.company': ownWords,
  'bank-complaints.product': ownWords,
  'bank-complaints.sub_product': ownWords,
  'bank-complaints.issue': ownWords,
  'bank-complaints.sub_issue': ownWords,
  'bank-complaints.tags': ownWords,
  'bank-complaints.submitted_via': ownWords,
  'bank-complaints.company_response': ownWords,
  'bank-complaints.public_response': ownWords,
  'bank-complaints.consent': ownWords,
  'bank-branches-fdic.service': ownWords,
  ...insidersNamedElsewhere,
  minority_status: ownWords,
  minority_code: 'the column minority_status',
  metric: 'metrics',
  bucket: 'metrics',
  'metrics.key': 'metrics',
  'metric-detail.key': 'metrics',
  'bank-deposits.kind': 'metrics',
  'bank-ubpr-ranks.code': 'metric-detail',
  schedule: 'the column description',
  'mdrm.code': 'mdrm',
  'mdrm-item.code': 'mdrm',
  'bank-deep-dive.mdrm': 'mdrm',
  'datasets.key': 'datasets',
  'dataset-detail.key': 'datasets',
  'reference-sources.key': 'reference-sources',
  source: 'reference-sources',
  series: 'the column label',
  'reference-codes.list': 'reference-codes',
  'reference-codes.code': 'reference-codes',
}
