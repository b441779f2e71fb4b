// FDIC's failed bank list against the banks that filed: found by name and place alone, and compared with the certificates.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { currentPublication } from '../../server/engine/publications.ts'
import { writeEntities } from '../../sql/entities/index.ts'
import { linkedTables } from '../../sql/sources/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { loaderEngine } from '../loaders/helpers.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

t.test('failed banks by certificate, and by name and place alone', { skip, timeout: 300_000 }, async (t) => {
  const { engine, load, rows } = await loaderEngine(t)
  const quarter = join(data, 'ffiec-call-report/FFIEC CDR Call Bulk All Schedules 06302011.zip')
  await load('ffiec-call-report', [quarter])
  await load('fdic-failures', [join(data, 'fdic-failures/2024-10')])
  const client = engine.loader((await currentPublication(engine))!.database)
  const [list] = linkedTables.filter(({ relation }) => relation === 'failed_banks')
  const counted = async () =>
    (
      await rows<Record<string, number>>(`
        SELECT toUInt32(countIf(f.rssd_id > 0 AND closed_date > '2011-06-30')) AS filed, toUInt32(countIf(l.entity_id IS NOT NULL)) AS linked,
          toUInt32(countIf(l.entity_id = f.rssd_id)) AS right
        FROM failed_banks AS r INNER JOIN links AS l ON l.relation = 'failed_banks' AND l.own = ${list!.own}
        LEFT JOIN (SELECT DISTINCT cert, rssd_id FROM filers WHERE cert > 0) AS f ON f.cert = r.cert`)
    )[0]

  await writeEntities({ client }, [banks], [list!])
  t.strictSame(await counted(), { filed: 155, linked: 155, right: 155 })

  const { numbers: _, ...withoutCertificate } = list!
  await writeEntities({ client }, [banks], [withoutCertificate])
  const { filed, linked, right } = (await counted())!
  t.equal(
    right,
    linked,
    'precision: of 569 banks, most of which had failed before, none is taken for another',
  )
  t.ok(right! / filed! >= 0.94, `recall: ${right} of ${filed}`)
  const [moved] = await rows<{ method: string; entity_id: number | null; candidates: number[] }>(
    `SELECT l.method, l.entity_id, l.candidates FROM links AS l INNER JOIN failed_banks AS r ON l.own = ${list!.own}
     WHERE name = 'HarVest Bank of Maryland'`,
  )
  t.strictSame(
    moved,
    { method: 'similar', entity_id: null, candidates: [3278547] },
    'who moved is not certain',
  )
})
