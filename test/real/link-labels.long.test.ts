// Rows of three sources labelled by reading them, against what the links make of them. The banks are those that filed at the end of 2018.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { countedLinks, unsureLinks } from '../../loaders/lib/links.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { writeEntities } from '../../sql/entities/index.ts'
import { linkedTables } from '../../sql/sources/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { fixture, loaderEngine } from '../loaders/helpers.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

/** `relation, own, rssd_id, why`; no RSSD ID where no reader could say, or where it is no bank that filed. */
const labels = readFileSync(fixture('link-labels.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [relation, own, id, why] = line.split('\t') as [string, string, string, string]
    return { relation, own, label: id === '' ? null : Number(id), why }
  })

t.test('labels say why', (t) => {
  t.ok(labels.length >= 300, `${labels.length} rows`)
  for (const { own, why } of labels) if (!why) t.fail(`${own} has no reason`)
  t.end()
})

t.test('links against labels, by source', { skip, timeout: 600_000 }, async (t) => {
  const { engine, load } = await loaderEngine(t)
  const files: [string, string][] = [
    ['ffiec-call-report', 'ffiec-call-report/FFIEC CDR Call Bulk All Schedules 12312018.zip'],
    ['fdic-institutions', 'fdic-sdi/20180930'],
    ['frb-enforcement', 'frb-enforcement'],
    ['occ-enforcement', 'occ-enforcement'],
    ['cfpb-complaints', 'cfpb/complaints.csv'],
    ['cfpb-complaints', 'cfpb/complaints-2025-search-export.csv'],
    ['hmda', 'hmda/2012_to_2014_institutions_data.csv'],
  ]
  for (const [source, path] of files)
    t.match(await load(source, [join(data, path)]), { editions: [{ status: 'published' }] }, path)
  const { database } = (await currentPublication(engine))!
  const client = engine.loader(database)
  // the size that tells namesakes apart, which deriving all figures would give
  await client.command({
    query: `CREATE TABLE banks ENGINE = MergeTree ORDER BY rssd_id AS SELECT rssd_id, max(value) AS total_assets
      FROM call_report_items WHERE mdrm IN ('RCFD2170', 'RCON2170') GROUP BY rssd_id`,
  })
  await writeEntities({ client }, [banks], linkedTables)
  const answer = await client.query({
    query: `SELECT relation, own, any(entity_id) AS id, any(evidence) AS evidence FROM links WHERE entity = 'bank' GROUP BY relation, own`,
    format: 'JSONEachRow',
  })
  const links = new Map(
    (await answer.json<{ relation: string; own: string; id: number | null; evidence: string }>()).map(
      (row) => [`${row.relation} ${row.own}`, row] as const,
    ),
  )
  for (const relation of ['enforcement_actions', 'complaints', 'hmda_lenders']) {
    const rows = labels.filter((row) => row.relation === relation)
    const found = rows.map((row) => ({ ...row, link: links.get(`${relation} ${row.own}`) }))
    for (const { own, link } of found)
      if (!link) t.fail(`${relation}: ${own} is no name of the source any more`)
    const linked = found.filter(({ link }) => link && link.id !== null)
    const wrong = linked.filter(({ link, label }) => link!.id !== label)
    const labelled = found.filter(({ label }) => label !== null)
    const missed = labelled.filter(({ link, label }) => link?.id !== label)
    for (const { own, link, why } of wrong)
      t.comment(`wrong: ${own} → ${link!.id} (${link!.evidence}); ${why}`)
    for (const { own, why } of missed) t.comment(`missed: ${own}; ${why}`)
    t.ok(
      wrong.length <= linked.length / 100,
      `${relation}: precision ${linked.length - wrong.length} of ${linked.length}`,
    )
    t.ok(
      missed.length <= labelled.length / 10,
      `${relation}: recall ${labelled.length - missed.length} of ${labelled.length}`,
    )
  }

  const unsure = await unsureLinks(engine, database)
  const capitalOne = unsure.find(
    ({ own, entity }) => entity === 'bank' && own === 'CAPITAL ONE FINANCIAL CORPORATION',
  )
  t.match(capitalOne, { source: 'cfpb-complaints', candidates: [112837, 2253891], evidence: /^several: / })
  t.ok((await unsureLinks(engine, database, 'hmda')).every(({ source }) => source === 'hmda'))
  t.ok(
    (await countedLinks(engine, database, 'hmda')).some(
      ({ method, linked }) => method === 'id' && linked > 3000,
    ),
  )
})
