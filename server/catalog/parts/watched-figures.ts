/** What the list of watched institutions says of each: who it is, its newest figures, and what moved since the quarter before. */
import { quoted } from '../../../sql/quoted.ts'
import { universes } from '../../../sql/universes/index.ts'
import { watched } from '../../../sql/watched/figures.ts'
import { WATCHED_FIGURES } from '../../../sql/watched/index.ts'
import { type Column, money, percent } from '../columns.ts'
import { watchedOf } from './watches.ts'

export const headlineColumns: readonly Column[] = watched.flatMap(({ name, label, unit, changes, doc }) => [
  (unit === 'money' ? money : percent)(name, label, doc === undefined ? {} : { doc }),
  ...(changes
    ? [
        percent(`${name}_change`, `Change of ${label.toLowerCase()} in one quarter`, {
          ...(unit === 'percent' && { unit: 'percentage points' }),
        }),
      ]
    : []),
])

const listed = universes.map(
  ({ entity }) => `arrayMap(one -> (${quoted(entity)}, one), {${watchedOf(entity)}:Array(UInt32)})`,
)
const numberAs = (name: string): string => {
  const kinds = universes.filter(({ id }) => id === name).map(({ entity }) => quoted(entity))
  return `if(w.one.1 IN (${kinds.join(', ')}), toNullable(w.one.2), NULL) AS ${name}`
}

/** One row a watched institution of any kind; without figures where it never filed. */
export const watchedFigures = `
SELECT f.* EXCEPT (entity, entity_id), w.one.1 AS entity, w.one.2 AS entity_id, ${numberAs('rssd_id')}, ${numberAs('cu_number')}
FROM (SELECT arrayJoin(arrayConcat(${listed.join(', ')})) AS one) AS w
LEFT ANY JOIN ${WATCHED_FIGURES} AS f ON f.entity = w.one.1 AND f.entity_id = w.one.2`
