import type { Linked } from '../entities/find.ts'
import complaints from './cfpb-complaints.ts'
import corrections from './corrections.ts'
import type { DeclaredSource, Table } from './declare.ts'
import fdicEnforcement from './fdic-enforcement.ts'
import fdicFailures from './fdic-failures.ts'
import fdicFinancials from './fdic-financials.ts'
import fdicHistory from './fdic-history.ts'
import fdicInstitutions from './fdic-institutions.ts'
import fdicLocations from './fdic-locations.ts'
import fdicNationalRates from './fdic-national-rates.ts'
import fdicSod from './fdic-sod.ts'
import callReport from './ffiec-call-report.ts'
import frY9c from './fr-y-9c.ts'
import { frY15, gsibDenominators } from './fr-y-15.ts'
import frbEnforcement from './frb-enforcement.ts'
import fred from './fred.ts'
import hmda from './hmda.ts'
import mdrm from './mdrm.ts'
import ncua5300 from './ncua-5300.ts'
import ncuaEnforcement from './ncua-enforcement.ts'
import nicAttributes from './nic-attributes.ts'
import nicRelationships from './nic-relationships.ts'
import nicTransformations from './nic-transformations.ts'
import occEnforcement from './occ-enforcement.ts'
import pmms from './pmms.ts'
import sec13dg from './sec-13dg.ts'
import sec13f from './sec-13f.ts'
import secFacts from './sec-facts.ts'
import secIndex from './sec-index.ts'
import secOwnership from './sec-ownership.ts'
import secStatements from './sec-statements.ts'
import secSubmissions from './sec-submissions.ts'
import secTickers from './sec-tickers.ts'
import treasury from './treasury.ts'
import ubprFormulas from './ubpr-formulas.ts'

/** All declared sources, in the order in which a reader should meet them. */
export const declaredSources: readonly DeclaredSource[] = [
  callReport,
  ubprFormulas,
  frY9c,
  frY15,
  gsibDenominators,
  treasury,
  fred,
  pmms,
  fdicNationalRates,
  fdicInstitutions,
  mdrm,
  fdicFailures,
  fdicHistory,
  fdicLocations,
  fdicSod,
  fdicFinancials,
  nicAttributes,
  nicRelationships,
  nicTransformations,
  ncua5300,
  frbEnforcement,
  occEnforcement,
  fdicEnforcement,
  ncuaEnforcement,
  complaints,
  hmda,
  secSubmissions,
  secIndex,
  secTickers,
  secFacts,
  secStatements,
  secOwnership,
  sec13dg,
  sec13f,
  corrections,
]

/** Every table that a source declares; several sources may tell the rows of one. */
export const declaredTables: readonly Table[] = [
  ...new Map(
    declaredSources.flatMap(({ tables }) => tables).map((table) => [table.name, table] as const),
  ).values(),
]

/** Every table whose rows are linked to institutions, by each of its sources and for each kind of institution. */
export const linkedTables: readonly Linked[] = declaredSources.flatMap(({ key, tables }) =>
  tables.flatMap(({ name, link = [] }) =>
    [link].flat().map((one) => ({ source: key, relation: name, ...one })),
  ),
)
