import { area } from './metric.ts'
import { domestic, metric, percentOf, sum } from './terms.ts'

const { money, percent } = area('concentration')
const source = (line: string) => `${line} to UBPR3792`
const toCapital = (key: string) => percentOf(key, 'tier1_and_allowance')

/** Exposures against tier 1 capital and the allowance, the UBPR's base since 2020 (page 7B). */
export const concentration = [
  money('tier1_and_allowance', {
    label: 'Tier 1 capital and allowance',
    direction: 'higher',
    formula: `${metric('tier1_capital')} + ${metric('allowance')}`,
    source: 'UBPR3792, without its adjustment for the CECL transition',
  }),
  money('cre_loans', {
    label: 'Commercial real estate loans',
    formula: sum(
      metric('construction_loans'),
      metric('multifamily_loans'),
      domestic('F161'),
      metric('unsecured_cre_loans'),
    ),
    source: 'RC-C I 1.a + 1.d + 1.e.2 + memoranda 3',
    description:
      'Construction, multifamily, nonfarm nonresidential that is not owner-occupied, and loans that finance commercial real estate but are not secured by it: the measure of the 2006 interagency guidance.',
  }),
  percent('cre_concentration', {
    label: 'Commercial real estate to tier 1 capital and allowance',
    direction: 'lower',
    formula: toCapital('cre_loans'),
    source: 'Interagency CRE guidance (2006); UBPR page 7B',
    description:
      'The guidance watches banks at 300 percent and more whose portfolio grew by half in three years.',
  }),
  percent('construction_concentration', {
    label: 'Construction loans to tier 1 capital and allowance',
    direction: 'lower',
    formula: toCapital('construction_loans'),
    source: 'UBPRD490',
    description: 'The interagency guidance watches banks at 100 percent and more.',
  }),
  percent('real_estate_concentration', {
    label: 'Real estate loans to tier 1 capital and allowance',
    formula: toCapital('real_estate_loans'),
    source: 'UBPRE884',
  }),
  percent('residential_concentration', {
    label: '1-4 family residential loans to tier 1 capital and allowance',
    formula: toCapital('residential_loans'),
    source: source('RC-C I 1.c'),
  }),
  percent('commercial_industrial_concentration', {
    label: 'Commercial and industrial loans to tier 1 capital and allowance',
    formula: toCapital('commercial_industrial_loans'),
    source: 'UBPRE887',
  }),
  percent('consumer_concentration', {
    label: 'Consumer loans to tier 1 capital and allowance',
    formula: toCapital('consumer_loans'),
    source: source('RC-C I 6'),
  }),
  percent('agricultural_concentration', {
    label: 'Agricultural and farmland loans to tier 1 capital and allowance',
    formula: `PCTOF(${sum(metric('agricultural_loans'), metric('farmland_loans'))}, ${metric('tier1_and_allowance')})`,
    source: source('RC-C I 1.b + 3'),
  }),
  percent('nondepository_financial_concentration', {
    label: 'Loans to nondepository financial institutions to tier 1 capital and allowance',
    formula: toCapital('nondepository_financial_loans'),
    source: source('RC-C I 9.a'),
  }),
]
