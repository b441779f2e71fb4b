import { isoDateOf, quarterEndBy } from '../lib/dates.ts'
import { sha256OfText } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import type { LoadContext, Loaded, Reject } from '../lib/source.ts'
import type { TableRecord } from '../lib/table.ts'
import { type InstitutionsEdition, recordsOf } from './files.ts'
import { type Institution, institutionOf } from './record.ts'

/** Replaces the institutions of one report date. */
export async function loadInstitutions(
  edition: InstitutionsEdition,
  { client, progress }: LoadContext,
): Promise<Loaded> {
  const records = await recordsOf(edition)
  progress.bytes(edition.volume)
  const reportDate = reportDateOf(edition.name, records)
  const { institutions, rejects } = sortOut(records)
  if (institutions.length === 0)
    throw new LoadError(
      `${edition.name}: none of its ${records.length} records can be kept; line ${rejects[0]!.line}: ${rejects[0]!.reason}`,
    )

  await client.command({
    query: 'ALTER TABLE fdic_institutions DROP PARTITION {date:Date}',
    query_params: { date: reportDate },
  })
  await client.insert({
    table: 'fdic_institutions',
    format: 'JSONEachRow',
    values: institutions.map((institution) => ({ report_date: reportDate, ...institution })),
  })
  progress.rows(records.length)
  return {
    status: 'loaded',
    reportDate,
    contentSha256: sha256OfText(JSON.stringify(institutions)),
    rowsRead: records.length,
    rowsKept: institutions.length,
    rejects,
    notes: [`${institutions.length.toLocaleString('en-US')} institutions as of ${reportDate}`],
    // Which quarters take their identities from this edition, the derivation sees by itself.
    changed: [],
  }
}

/**
 * The date that the file speaks of: the newest REPDTE (closed institutions keep the last that they reported), else
 * the newest quarter that had ended when it was made (RUNDATE, DATEUPDT), else a date in its name.
 */
export function reportDateOf(name: string, records: TableRecord[]): string {
  const newest = (field: string) =>
    records.reduce<string | null>((latest, { values }) => {
      const date = isoDateOf(values.get(field) ?? '')
      return date && (!latest || date > latest) ? date : latest
    }, null)
  const made =
    newest('repdte') ?? newest('rundate') ?? newest('dateupdt') ?? isoDateOf(/\d{8}/.exec(name)?.[0] ?? '')
  if (!made)
    throw new LoadError(
      `${name}: tells no date: no column REPDTE, RUNDATE or DATEUPDT, and no YYYYMMDD in its name`,
    )
  return quarterEndBy(made)
}

function sortOut(records: TableRecord[]): { institutions: Institution[]; rejects: Reject[] } {
  const byCert = new Map<number, Institution>()
  const lines = new Map<number, number>()
  const rejects: Reject[] = []
  for (const record of records) {
    const institution = institutionOf(record)
    const reject = (reason: string) =>
      rejects.push({
        member: '',
        line: record.line,
        reason,
        text: [...record.values.values()].join(',').slice(0, 200),
      })
    if (typeof institution === 'string') reject(institution)
    else if (byCert.has(institution.cert))
      reject(`CERT ${institution.cert} stands on line ${lines.get(institution.cert)} already`)
    else {
      byCert.set(institution.cert, institution)
      lines.set(institution.cert, record.line)
    }
  }
  return { institutions: [...byCert.values()], rejects }
}
