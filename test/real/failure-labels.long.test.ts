// Fifty of FDIC's failed banks, drawn by chance (seed 2026) and worked by hand: who each was, and what it became.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { currentPublication } from '../../server/engine/publications.ts'
import { writeEntities } from '../../sql/entities/index.ts'
import { linkedTables } from '../../sql/sources/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { fixture, loaderEngine } from '../loaders/helpers.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

/**
 * `cert, name, closed_date, rssd_id, successor_rssd_id, why`; no number where no reader could say. Read from the Call Reports'
 * panels of reporters by certificate, else from NIC's transformations of the days after and the names of who took over.
 */
const labels = readFileSync(fixture('failure-labels.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [cert, name, closed, id, successor, why] = line.split('\t') as string[]
    const number = (text?: string) => (text ? Number(text) : null)
    return { cert: Number(cert), name, closed, id: number(id), successor: number(successor), why }
  })

t.test('each label says why', (t) => {
  t.equal(labels.length, 50)
  for (const { name, why } of labels) if (!why) t.fail(`${name} has no reason`)
  t.end()
})

t.test('failures against labels', { skip, timeout: 600_000 }, async (t) => {
  const { engine, load, rows } = await loaderEngine(t)
  for (const [source, path] of [
    ['ffiec-call-report', 'ffiec-call-report/FFIEC CDR Call Bulk All Schedules 06302011.zip'],
    ['fdic-failures', 'fdic-failures/2024-10'],
    ['nic-transformations', 'nic/2024-2025/CSV_TRANSFORMATIONS.CSV'],
  ] as const)
    t.match(await load(source, [join(data, path)]), { editions: [{ status: 'published' }] }, path)
  const client = engine.loader((await currentPublication(engine))!.database)
  const [list] = linkedTables.filter(({ relation }) => relation === 'failed_banks')
  await writeEntities({ client }, [banks], [list!])

  const linked = new Map(
    (
      await rows<{ cert: number; name: string; closed: string; id: number | null; filed: number }>(`
        SELECT r.cert AS cert, r.name AS name, toString(closed_date) AS closed, l.entity_id AS id, r.cert IN (SELECT cert FROM filers) AS filed
        FROM failed_banks AS r INNER JOIN links AS l ON l.relation = 'failed_banks' AND l.own = ${list!.own}`)
    ).map((row) => [row.cert, row]),
  )
  const became = new Set(
    (
      await rows<{ id: number; successor: number; date: string }>(
        'SELECT predecessor_rssd_id AS id, successor_rssd_id AS successor, toString(date) AS date FROM transformations WHERE kind = 50',
      )
    ).map(({ id, successor, date }) => `${id} ${successor} ${date}`),
  )
  const days = (closed: string) =>
    [0, 1, 2, 3, 4].map((k) => new Date(Date.parse(closed) + k * 86_400_000).toISOString().slice(0, 10))

  let [found, known, filed] = [0, 0, 0]
  for (const { cert, name, closed, id, successor } of labels) {
    const row = linked.get(cert)
    t.match(row, { name, closed }, `${name} is in the list`)
    if (id !== null) known++
    if (row!.filed) filed++
    if (row!.id !== null) found++
    if (row!.id !== null) t.equal(row!.id, id, `${name} is taken for nobody else`)
    else t.notOk(row!.filed, `${name} filed nothing here, or it is found`)
    if (id !== null && successor !== null)
      t.ok(
        days(closed!).some((day) => became.has(`${id} ${successor} ${day}`)),
        `${name} became ${successor}`,
      )
  }
  t.comment(
    `linked: ${found} of 50; ${filed} filed after June 2011, and a reader could say who ${known} were`,
  )
  t.equal(found, filed, 'all that filed in what is loaded are found')
})
