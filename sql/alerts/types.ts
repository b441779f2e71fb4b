/** What is worth telling whoever watches an institution: one vocabulary, and how a kind of alert is declared. */
import { quoted } from '../quoted.ts'
import { trades } from './thresholds.ts'

export const alertTypes = {
  metric_move: 'A metric moved by at least its threshold since the report before.',
  level_crossed: 'A ratio crossed a level that a rule or a guidance names.',
  capital_category: 'The category of prompt corrective action by ratios changed.',
  percentile_jump:
    'The percentile of a metric in the size cohort moved by 25 or more since the report before.',
  grade_change: 'The overall grade of the scorecard changed.',
  risk_tier: 'The tier of the failure model changed, where one is trained.',
  structural_event: 'A merger, a change of name, place, charter or control, or another structural event.',
  failure: 'The institution failed.',
  enforcement_action: 'An agency told of an enforcement action against it.',
  complaint_surge:
    'Twice as many complaints in a quarter as in the average one of the year before, and ten at least.',
  sec_event: 'Its registrant reported an event to the SEC, by an item of Form 8-K that is not routine.',
  sec_restatement: 'Its registrant told the SEC that statements issued before can no longer be relied on.',
  sec_late_filing: 'Its registrant told the SEC that an annual or a quarterly report is late.',
  insider_trade: `An insider of its registrant bought shares for ${trades.P.says} or more, or sold some for ${trades.S.says} or more.`,
} as const

export type AlertType = keyof typeof alertTypes
export const alertTypeKeys = Object.keys(alertTypes) as AlertType[]

/**
 * One way to find alerts, as SQL over the tables of a data version. What is left out is NULL. Of what happened on days, the
 * rows of the newest year are alerts.
 */
export interface AlertKind {
  readonly type: AlertType
  /** Tables without whose rows there is nothing to find. */
  readonly reads: readonly string[]
  readonly from: string
  readonly where?: string
  /** SQL of the kind of institution, and of its number. */
  readonly entity: string
  readonly entityId: string
  /** With type, institution and period what makes it the same alert in every data version: a metric, an event, an action. */
  readonly subject: string
  /** `2026Q2`, where one subject has an alert each quarter. */
  readonly period?: string
  readonly date: string
  readonly value?: string
  readonly before?: string
  /** How far the value moved, in `unit`, and how far it must have to be told of unless a reader says otherwise. */
  readonly change?: string
  readonly threshold?: string
  readonly percentile?: string
  readonly unit?: string
  /** Without the name of the institution. */
  readonly sentence: string
  /** Path of the dataset with more, below the API's root; `{id}` is the institution's number; of a kind with a `filing`, `{filing}` is that. */
  readonly path: string
  /** Accession number of the filing. */
  readonly filing?: string
}

/** Quarters and days that alerts are of, counted back from the newest. */
export const RECENT_QUARTERS = 4
const RECENT_DAYS = 400

/** SQL condition: of the newest days of a relation. What an agency dates ahead is not the newest yet. */
export const recent = (day: string, relation: string): string =>
  `${day} > (SELECT least(toDate32(max(${day})), toDate32(today())) FROM ${relation}) - ${RECENT_DAYS}`

const text = (sql: string | undefined) => (sql === undefined ? "''" : sql)
const figure = (sql: string | undefined) => `CAST(${sql ?? 'NULL'} AS Nullable(Float64))`

/** The alerts of a kind: columns as `alerts` has them. */
export const kindSql = (kind: AlertKind, root: string): string => `
SELECT ${quoted(kind.type)} AS type, ${kind.entity} AS entity, toUInt32(${kind.entityId}) AS entity_id, toString(${kind.subject}) AS subject,
  ${text(kind.period)} AS period, toDate32(${kind.date}) AS date, ${figure(kind.value)} AS value, ${figure(kind.before)} AS before,
  ${figure(kind.change)} AS change, ${figure(kind.threshold)} AS threshold, ${figure(kind.percentile)} AS percentile,
  CAST(${kind.unit ?? 'NULL'} AS Nullable(String)) AS unit, ${kind.sentence} AS sentence,
  replaceOne(${quoted(root + kind.path)}, ${kind.filing ? `'{filing}', ${kind.filing}` : `'{id}', toString(entity_id)`}) AS link
FROM ${kind.from}${kind.where ? ` WHERE ${kind.where}` : ''}`
