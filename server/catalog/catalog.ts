/** The table of contents: every dataset of the API, served or still to come, said once. */
import { suggest } from '../../sql/suggest.ts'

/** Chapters of the catalog, each with what it holds. */
export const chapters = {
  Banks: 'One bank, or the list of them: figures as filed, series, ranks and peers.',
  Screeners: 'Every bank of a quarter by any figures, for filtering and bulk reading.',
  'Risk & Failures': 'Banks at risk, a model of failure that explains itself, and the failures there were.',
  'Events & Enforcement': 'Mergers, closings and other structural events; enforcement actions; complaints.',
  'Industry & Macro': 'The industry and its asset-size cohorts as a whole, and the economy around them.',
  'Rate Environment': 'Treasury, mortgage, deposit and consumer rates, with when each was known.',
  'Credit Unions': 'Credit unions by their NCUA charter number.',
  'Holding Companies': 'Bank holding companies and their consolidated figures.',
  'SEC Data': 'What banks and their parents file with the SEC: facts, events, insiders, holders.',
  'Reference & Catalog': 'What the rest is made of: datasets, metrics, items, quarters, sources.',
} as const
export type Category = keyof typeof chapters
export const categories = Object.keys(chapters) as readonly Category[]

/** Who may read a dataset: anybody, holders of a free key, holders of a premium key. */
export const tiers = ['Public', 'Free', 'Premium'] as const
export type Tier = (typeof tiers)[number]

/** `one`: `data` is an object. `many`: an array of flat rows. */
export type Result = 'one' | 'many'

export interface CatalogEntry {
  readonly key: string
  readonly name: string
  readonly category: Category
  readonly tier: Tier
  /** Below `/api/v1`, with the last slash; parameters as `{name}`. */
  readonly path: string
  readonly result: Result
}

// biome-ignore format: a table reads best as a table
const table = [
  // Banks
  ['bank-directory', 'Bank Directory', 'Banks', 'Public', '/banks/', 'many'],
  ['bank-snapshot', 'Bank Snapshot', 'Banks', 'Public', '/banks/{rssd_id}/', 'one'],
  ['bank-trends', 'Bank Trends', 'Banks', 'Public', '/banks/{rssd_id}/trends/', 'many'],
  ['bank-hmda', 'HMDA Mortgage-Lending Book', 'Banks', 'Free', '/banks/{rssd_id}/hmda/', 'many'],
  ['bank-fdic-demographics', 'FDIC Bank Demographics', 'Banks', 'Public', '/banks/{rssd_id}/fdic/demographics/', 'many'],
  ['bank-fdic-financials', 'FDIC SDI Financials', 'Banks', 'Free', '/banks/{rssd_id}/fdic/financials/', 'many'],
  ['bank-ubpr-ratios', 'UBPR Ratios', 'Banks', 'Premium', '/banks/{rssd_id}/ubpr/ratios/', 'many'],
  ['bank-ubpr-ranks', 'UBPR Peer-Percentile Ranks', 'Banks', 'Premium', '/banks/{rssd_id}/ubpr/ranks/', 'many'],
  ['bank-scorecard', 'Bank Scorecard', 'Banks', 'Free', '/banks/{rssd_id}/scorecard/', 'one'],
  ['bank-percentile-ranks', 'Peer Percentile Ranks', 'Banks', 'Public', '/banks/{rssd_id}/ranks/', 'many'],
  ['bank-peers', 'Peer Set', 'Banks', 'Public', '/banks/{rssd_id}/peers/', 'many'],
  ['bank-peer-comparison', 'Peer Comparison', 'Banks', 'Public', '/banks/{rssd_id}/peers/comparison/', 'many'],
  ['bank-branches', 'Branch Network', 'Banks', 'Public', '/banks/{rssd_id}/branches/', 'many'],
  ['bank-deep-dive', 'Bank Deep Dive', 'Banks', 'Public', '/banks/{rssd_id}/deep-dive/', 'many'],
  ['bank-structure-full', 'Bank Corporate Structure - Full Hierarchy', 'Banks', 'Public', '/banks/{rssd_id}/structure/full/', 'one'],
  ['bank-loan-portfolio', 'Bank Loan Portfolio', 'Banks', 'Public', '/banks/{rssd_id}/loan-portfolio/', 'one'],
  ['bank-scorecard-composite', 'Bank Scorecard - Full Composite', 'Banks', 'Free', '/banks/{rssd_id}/scorecard/composite/', 'one'],
  ['bank-deposits', 'Bank Deposit Composition', 'Banks', 'Public', '/banks/{rssd_id}/deposits/', 'one'],
  ['bank-deposits-trends', 'Bank Deposit Trends', 'Banks', 'Public', '/banks/{rssd_id}/deposits/trends/', 'many'],
  ['bank-securities', 'Bank Securities Portfolio', 'Banks', 'Public', '/banks/{rssd_id}/securities/', 'one'],
  ['bank-securities-trends', 'Bank Securities Trends', 'Banks', 'Public', '/banks/{rssd_id}/securities/trends/', 'many'],
  ['bank-branches-map', 'Bank Branch Map', 'Banks', 'Public', '/banks/{rssd_id}/branches/map/', 'many'],
  ['bank-branches-rollup', 'Bank Branch Rollup', 'Banks', 'Public', '/banks/{rssd_id}/branches/rollup/', 'many'],
  ['bank-branches-nic', 'Bank Branches - NIC', 'Banks', 'Public', '/banks/{rssd_id}/branches/nic/', 'many'],
  ['bank-branches-fdic', 'Bank Branches - FDIC', 'Banks', 'Public', '/banks/{rssd_id}/branches/fdic/', 'many'],
  ['bank-fry15', 'FR Y-15 G-SIB Indicators', 'Banks', 'Public', '/banks/{rssd_id}/fry15/', 'many'],
  ['bank-events', 'Bank Structural Events', 'Banks', 'Public', '/banks/{rssd_id}/events/', 'many'],
  ['bank-history', 'Bank FDIC History', 'Banks', 'Public', '/banks/{rssd_id}/history/', 'many'],
  ['bank-profile', 'Bank Profile Composite', 'Banks', 'Public', '/banks/{rssd_id}/profile/', 'one'],
  ['bank-peer-ranks', 'Bank Peer Ranks', 'Banks', 'Public', '/banks/{rssd_id}/ranks/', 'many'],
  ['bank-peer-ranking', 'Bank Peer Ranking (Live)', 'Banks', 'Public', '/banks/{rssd_id}/peer-ranking/', 'many'],
  ['bank-search-index', 'Bank Search Index', 'Banks', 'Public', '/banks/search-index/', 'many'],
  ['bank-structure', 'Bank Corporate Structure', 'Banks', 'Public', '/banks/{rssd_id}/structure/', 'one'],

  // Screeners
  ['bank-screener', 'Bank Screener', 'Screeners', 'Public', '/screeners/banks/', 'many'],
  ['screener-dataset', 'Screener Dataset (full working set)', 'Screeners', 'Free', '/screeners/dataset/', 'many'],
  ['loan-concentration-screener', 'Loan-Concentration Screener', 'Screeners', 'Free', '/screeners/loan-concentration/', 'many'],
  ['screener-panel', 'Screener Panel', 'Screeners', 'Premium', '/screeners/panel/', 'many'],
  ['growth-screener', 'Growth Screener', 'Screeners', 'Free', '/screeners/growth/', 'many'],
  ['funding-screener', 'Funding-Risk Screener', 'Screeners', 'Free', '/screeners/funding/', 'many'],
  ['securities-loss-screener', 'Securities-Loss Screener', 'Screeners', 'Free', '/screeners/securities-losses/', 'many'],
  ['capital-screener', 'Capital Screener', 'Screeners', 'Free', '/screeners/capital/', 'many'],
  ['credit-union-screener', 'Credit Union Screener', 'Screeners', 'Public', '/screeners/credit-unions/', 'many'],

  // Risk & Failures
  ['high-risk-banks', 'High-Risk Banks', 'Risk & Failures', 'Free', '/risk/high-risk-banks/', 'many'],
  ['failure-prediction', 'Failure Prediction', 'Risk & Failures', 'Premium', '/banks/{rssd_id}/failure-prediction/', 'one'],
  ['failure-prediction-factors', 'Failure Prediction Factors', 'Risk & Failures', 'Premium', '/banks/{rssd_id}/failure-prediction/factors/', 'many'],
  ['failure-prediction-trends', 'Failure Prediction Trends', 'Risk & Failures', 'Premium', '/banks/{rssd_id}/failure-prediction/trends/', 'many'],
  ['risk-model', 'Failure Model Card', 'Risk & Failures', 'Public', '/risk/model-card/', 'one'],
  ['risk-distribution', 'Risk Distribution', 'Risk & Failures', 'Public', '/risk/distribution/', 'many'],
  ['recent-failures', 'Recent Failures', 'Risk & Failures', 'Public', '/failures/recent/', 'many'],
  ['failures', 'Failure History', 'Risk & Failures', 'Public', '/failures/', 'many'],
  ['failures-by-year', 'Failures by Year', 'Risk & Failures', 'Public', '/failures/annual/', 'many'],

  // Events & Enforcement
  ['structural-events', 'Structural Events', 'Events & Enforcement', 'Public', '/events/', 'many'],
  ['enforcement-feed', 'Enforcement Feed', 'Events & Enforcement', 'Public', '/enforcement/', 'many'],
  ['bank-enforcement', 'Bank Enforcement Actions', 'Events & Enforcement', 'Free', '/banks/{rssd_id}/enforcement/', 'many'],
  ['bank-complaints', 'CFPB Complaints', 'Events & Enforcement', 'Free', '/banks/{rssd_id}/complaints/', 'many'],

  // Industry & Macro
  ['industry-snapshot', 'Industry Snapshot', 'Industry & Macro', 'Public', '/industry/', 'one'],
  ['industry-trends', 'Industry Trends', 'Industry & Macro', 'Public', '/industry/trends/', 'many'],
  ['peer-groups', 'Peer Groups', 'Industry & Macro', 'Public', '/industry/peer-groups/', 'many'],
  ['industry-dashboard', 'Industry Dashboard', 'Industry & Macro', 'Public', '/industry/dashboard/', 'one'],
  ['industry-rate-environment', 'Industry Rate Environment', 'Industry & Macro', 'Public', '/industry/rate-environment/', 'one'],
  ['industry-rate-environment-trends', 'Industry Rate Environment - Trends', 'Industry & Macro', 'Public', '/industry/rate-environment/trends/', 'many'],
  ['industry-securities-trends', 'Industry Securities Trends', 'Industry & Macro', 'Public', '/industry/securities/trends/', 'many'],
  ['industry-macro', 'Industry Macro Context', 'Industry & Macro', 'Public', '/industry/macro/', 'many'],
  ['industry-benchmarks', 'Industry Peer Benchmarks', 'Industry & Macro', 'Public', '/industry/benchmarks/', 'many'],

  // Rate Environment
  ['rates-mortgage', 'Mortgage Rates', 'Rate Environment', 'Public', '/rates/mortgage/', 'many'],
  ['rates-deposit', 'Deposit Rates', 'Rate Environment', 'Public', '/rates/deposit/', 'many'],
  ['rates-treasury-bill', 'Treasury-Bill Rates', 'Rate Environment', 'Public', '/rates/treasury-bill/', 'many'],
  ['rates-yield-curve', 'Treasury Yield Curve', 'Rate Environment', 'Public', '/rates/yield-curve/', 'many'],
  ['rates-consumer', 'Consumer Rates', 'Rate Environment', 'Public', '/rates/consumer/', 'many'],
  ['rates-real-yield', 'Real Yield Rates', 'Rate Environment', 'Public', '/rates/real-yield/', 'many'],
  ['rates-national', 'National Deposit Rates', 'Rate Environment', 'Public', '/rates/national-rates/', 'many'],

  // Credit Unions
  ['credit-union-directory', 'Credit Union Directory', 'Credit Unions', 'Public', '/cus/', 'many'],
  ['credit-union-snapshot', 'Credit Union Snapshot', 'Credit Unions', 'Public', '/cus/{cu_number}/', 'one'],
  ['credit-union-trends', 'Credit Union Trends', 'Credit Unions', 'Public', '/cus/{cu_number}/trends/', 'many'],
  ['credit-union-peer-benchmarks', 'Credit Union Peer Benchmarks', 'Credit Unions', 'Public', '/cus/peer-benchmarks/', 'many'],
  ['credit-union-branches', 'Credit Union Branches', 'Credit Unions', 'Public', '/cus/{cu_number}/branches/', 'many'],
  ['credit-union-atms', 'Credit Union ATMs', 'Credit Unions', 'Public', '/cus/{cu_number}/atms/', 'many'],
  ['ncua-enforcement', 'NCUA Enforcement Actions', 'Credit Unions', 'Public', '/enforcement/ncua/', 'many'],

  // Holding Companies
  ['holding-company-directory', 'Holding Company Directory', 'Holding Companies', 'Public', '/holding-companies/', 'many'],
  ['holding-company-snapshot', 'Holding Company Snapshot', 'Holding Companies', 'Public', '/holding-companies/{rssd_id}/', 'one'],
  ['holding-company-trends', 'Holding Company Trends', 'Holding Companies', 'Public', '/holding-companies/{rssd_id}/trends/', 'many'],

  // SEC Data
  ['sec-registrants', 'SEC Registrants', 'SEC Data', 'Public', '/sec/registrants/', 'many'],
  ['sec-registrant', 'SEC Registrant', 'SEC Data', 'Public', '/banks/{rssd_id}/sec/registrant/', 'one'],
  ['sec-filings', 'SEC Filing Index', 'SEC Data', 'Free', '/banks/{rssd_id}/sec/filings/', 'many'],
  ['sec-filing', 'SEC Filing', 'SEC Data', 'Free', '/sec/filings/{accession_number}/', 'one'],
  ['sec-filing-feed', 'SEC Filing Feed', 'SEC Data', 'Free', '/sec/filings/', 'many'],
  ['sec-facts', 'XBRL Financial Facts', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/facts/', 'many'],
  ['sec-fact-trends', 'XBRL Concept Trends', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/facts/{concept}/', 'many'],
  ['sec-frames', 'XBRL Frames', 'SEC Data', 'Premium', '/sec/frames/{concept}/', 'many'],
  ['sec-insider-transactions', 'Insider Transactions', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/insiders/transactions/', 'many'],
  ['sec-insiders', 'Insiders', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/insiders/', 'many'],
  ['sec-insider-feed', 'Insider Transaction Feed', 'SEC Data', 'Premium', '/sec/insider-transactions/', 'many'],
  ['sec-events', '8-K Events', 'SEC Data', 'Free', '/banks/{rssd_id}/sec/events/', 'many'],
  ['sec-event-feed', '8-K Event Feed', 'SEC Data', 'Free', '/sec/events/', 'many'],
  ['sec-restatements', 'Restatements', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/restatements/', 'many'],
  ['sec-auditor-changes', 'Auditor Changes', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/auditor-changes/', 'many'],
  ['sec-officer-changes', 'Officer and Director Changes', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/officer-changes/', 'many'],
  ['sec-mergers', 'Merger Filings', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/mergers/', 'many'],
  ['sec-ownership', 'Beneficial Ownership', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/ownership/', 'many'],
  ['sec-institutional-holders', 'Institutional Holders', 'SEC Data', 'Premium', '/banks/{rssd_id}/sec/institutional-holders/', 'many'],
  ['sec-late-filings', 'Late Filings', 'SEC Data', 'Free', '/banks/{rssd_id}/sec/late-filings/', 'many'],
  ['sec-filing-activity', 'Filing Activity', 'SEC Data', 'Free', '/banks/{rssd_id}/sec/activity/', 'many'],

  // Reference & Catalog
  ['datasets', 'Dataset Catalog', 'Reference & Catalog', 'Public', '/datasets/', 'many'],
  ['dataset-detail', 'Dataset Detail', 'Reference & Catalog', 'Public', '/datasets/{key}/', 'one'],
  ['metrics', 'Metric Catalog', 'Reference & Catalog', 'Public', '/reference/metrics/', 'many'],
  ['metric-detail', 'Metric Detail', 'Reference & Catalog', 'Public', '/reference/metrics/{metric}/', 'one'],
  ['mdrm', 'MDRM Dictionary', 'Reference & Catalog', 'Public', '/reference/mdrm/', 'many'],
  ['mdrm-item', 'MDRM Item', 'Reference & Catalog', 'Public', '/reference/mdrm/{code}/', 'one'],
  ['reference-states', 'States', 'Reference & Catalog', 'Public', '/reference/states/', 'many'],
  ['reference-codes', 'Code Lists', 'Reference & Catalog', 'Public', '/reference/codes/', 'many'],
  ['reference-quarters', 'Report Quarters', 'Reference & Catalog', 'Public', '/reference/quarters/', 'many'],
  ['reference-sources', 'Data Sources', 'Reference & Catalog', 'Public', '/reference/sources/', 'many'],
  ['watchlist', 'Watchlist', 'Reference & Catalog', 'Free', '/watchlist/', 'many'],
  ['watchlist-add', 'Watchlist Add', 'Reference & Catalog', 'Free', '/watchlist/add/', 'one'],
  ['watchlist-remove', 'Watchlist Remove', 'Reference & Catalog', 'Free', '/watchlist/remove/', 'one'],
  ['watchlist-alerts', 'Watchlist Alerts', 'Reference & Catalog', 'Free', '/watchlist/alerts/', 'many'],
] as const satisfies readonly (readonly [string, string, Category, Tier, string, Result])[]

export type CatalogKey = (typeof table)[number][0]

export const catalog: readonly (CatalogEntry & { readonly key: CatalogKey })[] = table.map(
  ([key, name, category, tier, path, result]) => ({ key, name, category, tier, path, result }),
)

const byKey = new Map<string, CatalogEntry>(catalog.map((entry) => [entry.key, entry]))

/** The entry of a key, or undefined where the catalog has none. */
export function catalogEntry(key: string): CatalogEntry | undefined {
  return byKey.get(key)
}

/** The key that was likely meant by one that there is not. */
export const likelyKey = (key: string): string | undefined => suggest(key, byKey.keys())

export const API_ROOT = '/api/v1'
