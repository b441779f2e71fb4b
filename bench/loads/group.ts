/** NIC's files of one holding company with thousands of institutions below it, ten deep, most held by two of those above. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const topHolder = 1_000_000
const day = (text: string): string => `"${text.slice(4, 6)}/${text.slice(6)}/${text.slice(0, 4)} 00:00:00"`

/** Writes a file of attributes and one of relationships; the keys are those of their sources. */
export async function writeGroup(folder: string, entities: number): Promise<Record<string, string>> {
  const attributes = Array.from({ length: entities + 1 }, (_, k) => [
    ...[topHolder + k, '19900101', '99991231', '19900101', '99991231', 1, 200, k === 0 ? 'FHD' : 'DEO'],
    ...[`"${`INSTITUTION NUMBER ${k}`.padEnd(120)}"`, `"${`CITY ${k % 900}`.padEnd(25)}"`, 'NY', 0, 0, 0],
  ])
  const relationships = Array.from({ length: entities }, (_, k) => {
    const [first, second] = [Math.floor(k / 3), Math.floor(k / 4)]
    const of = (parent: number, percent: number) => [
      ...[topHolder + parent, topHolder + k + 1, '19950101', '99991231', day('19950101'), day('99991231')],
      ...[percent >= 25 ? 1 : 2, 1, percent.toFixed(2), 'Exact', 0, 1, 1, 1],
    ]
    return first === second ? [of(first, 100)] : [of(first, 80), of(second, 20)]
  }).flat()
  const files = {
    'nic-attributes': [
      'CSV_ATTRIBUTES_ACTIVE.CSV',
      '#ID_RSSD,DT_START,DT_END,DT_EXIST_CMNC,DT_EXIST_TERM,EST_TYPE_CD,CHTR_TYPE_CD,ENTITY_TYPE,NM_LGL,CITY,STATE_ABBR_NM,ID_FDIC_CERT,ID_RSSD_HD_OFF,REASON_TERM_CD',
      attributes,
    ],
    'nic-relationships': [
      'CSV_RELATIONSHIPS.CSV',
      '#ID_RSSD_PARENT,ID_RSSD_OFFSPRING,DT_START,DT_END,D_DT_START,D_DT_END,CTRL_IND,EQUITY_IND,PCT_EQUITY,PCT_EQUITY_FORMAT,PCT_OTHER,REASON_ROW_CRTD,RELN_LVL,REG_IND',
      relationships,
    ],
  } as const
  const paths: Record<string, string> = {}
  for (const [source, [name, header, rows]] of Object.entries(files)) {
    paths[source] = join(folder, name)
    await writeFile(paths[source], `${[header, ...rows.map((row) => row.join())].join('\r\n')}\r\n`)
  }
  return paths
}
