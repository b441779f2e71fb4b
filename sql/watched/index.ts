/** The relation `watched_figures` of a data version: of every institution its newest figures, and what moved since the quarter before. */
import { quarterBeforeSql } from '../derive/quarters.ts'
import { nameOf, type Universe } from '../derive/universe.ts'
import { hashOf } from '../hash.ts'
import { quoted } from '../quoted.ts'
import { type Making, makeSteps, type Step } from '../steps/steps.ts'
import { universes } from '../universes/index.ts'
import { watched } from './figures.ts'

export const WATCHED_FIGURES = 'watched_figures'

const FIGURE = 'Nullable(Float64)'
const absent = `CAST(NULL AS ${FIGURE})`
const figureNames = watched.flatMap(({ name, changes }) => (changes ? [name, `${name}_change`] : [name]))

const definition = `(
  entity LowCardinality(String), entity_id UInt32, legal_name Nullable(String), city Nullable(String), state LowCardinality(Nullable(String)),
  report_date Nullable(Date), active Bool, cohort LowCardinality(Nullable(String)),
  ${figureNames.map((name) => `${name} ${FIGURE}`).join(', ')}
) ENGINE = MergeTree ORDER BY (entity, entity_id)`

/** One row an institution that ever filed. */
function figuresSql(universe: Universe): string {
  const { entity, id, tables, identity } = universe
  const keys = watched.map(({ of }) => of.find((key) => universe.metric(key)))
  const state = ['hq_state', 'state'].find((name) => identity.columns.some((one) => nameOf(one) === name))!
  const figures = watched.flatMap(({ unit, changes }, index) => {
    const key = keys[index]
    if (key === undefined) return changes ? [absent, absent] : [absent]
    const change =
      unit === 'money'
        ? `if(p.${key} > 0, 100 * (d.${key} - p.${key}) / p.${key}, NULL)`
        : `d.${key} - p.${key}`
    return changes ? [`d.${key}`, change] : [`d.${key}`]
  })
  const chosen = [...new Set(keys.filter((key) => key !== undefined))].join(', ')
  const before = quarterBeforeSql('last_quarter', 1)
  return `
SELECT ${quoted(entity)}, d.${id}, nullIf(d.legal_name, ''), nullIf(d.city, ''), nullIf(toString(d.${state}), ''),
  d.last_quarter, d.active, nullIf(toString(d.cohort), ''),
  ${figures.join(',\n  ')}
FROM ${tables.directory} AS d
LEFT JOIN (
  SELECT ${id}, report_date, ${chosen} FROM ${tables.quarters} WHERE (${id}, report_date) IN (SELECT ${id}, ${before} FROM ${tables.directory})
) AS p ON p.${id} = d.${id} AND p.report_date = ${quarterBeforeSql('d.last_quarter', 1)}`
}

const steps: readonly Step[] = [
  {
    name: WATCHED_FIGURES,
    makes: { [WATCHED_FIGURES]: definition },
    fill: universes.map((universe) => `INSERT INTO ${WATCHED_FIGURES} ${figuresSql(universe)}`),
  },
]

/** Makes the table after the figures of all universes: a list of a thousand is then one look into it. */
export const writeWatched = (making: Making): Promise<unknown> => makeSteps(making, steps)

/** Changes when what makes the table does. */
export const watchedHash: string = hashOf(steps)
