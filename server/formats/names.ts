/** The formats of an answer: name for `format=`, media type for `Accept`, and ClickHouse's own writer. */

export interface FormatKind {
  readonly mediaType: string
  /** Further media types of `Accept` that mean it. */
  readonly accepts: readonly string[]
  readonly clickhouse: string
  readonly extension: string
  /** Whether its bytes become fewer by compressing: Parquet is compressed in itself. */
  readonly compressible: boolean
  readonly doc: string
}

export const formats = {
  json: {
    mediaType: 'application/json; charset=utf-8',
    accepts: ['application/json', 'text/json'],
    clickhouse: 'JSONEachRow',
    extension: 'json',
    compressible: true,
    doc: 'The envelope; `data` is an object or an array of flat rows.',
  },
  columns: {
    mediaType: 'application/vnd.columns+json; charset=utf-8',
    accepts: ['application/vnd.columns+json'],
    clickhouse: 'JSONColumns',
    extension: 'json',
    compressible: true,
    doc: 'The envelope; `data` is an object of arrays, one for each column: a third of the bytes.',
  },
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    accepts: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
    clickhouse: 'JSONEachRow',
    extension: 'ndjson',
    compressible: true,
    doc: 'A JSON object a line.',
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    accepts: ['text/csv'],
    clickhouse: 'CSVWithNames',
    extension: 'csv',
    compressible: true,
    doc: 'RFC 4180 with a header line; strings are quoted, an absent value is empty without quotes.',
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    accepts: ['application/vnd.apache.arrow.stream'],
    clickhouse: 'ArrowStream',
    extension: 'arrows',
    compressible: true,
    doc: 'Apache Arrow IPC stream with real column types; the envelope is schema metadata `banking.meta`, unit and label are field metadata.',
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    accepts: ['application/vnd.apache.parquet', 'application/x-parquet', 'application/parquet'],
    clickhouse: 'Parquet',
    extension: 'parquet',
    compressible: false,
    doc: 'Apache Parquet; the envelope is file metadata `banking.meta`.',
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    accepts: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    clickhouse: 'CustomSeparated',
    extension: 'xlsx',
    compressible: false,
    doc: 'An Excel workbook, up to 1,048,573 rows: labels, units and names above the rows, and a second sheet with meta, links, sources and columns. Days before 1900-03-01 and whole numbers beyond 2^53 are texts.',
  },
  geojson: {
    mediaType: 'application/geo+json; charset=utf-8',
    accepts: ['application/geo+json', 'application/vnd.geo+json'],
    clickhouse: 'JSONEachRow',
    extension: 'geojson',
    compressible: true,
    doc: 'A FeatureCollection of points (RFC 7946), with `meta` and `links` as foreign members; for rows that have a place.',
  },
  rss: {
    mediaType: 'application/rss+xml; charset=utf-8',
    accepts: ['application/rss+xml'],
    clickhouse: 'TSVRaw',
    extension: 'rss',
    compressible: true,
    doc: 'An RSS 2.0 feed, an item a row; for rows that tell of something.',
  },
} as const satisfies Record<string, FormatKind>

export type Format = keyof typeof formats
export const formatNames = Object.keys(formats) as readonly Format[]
/** What rows of every kind have. */
export const tabular: readonly Format[] = formatNames.filter((name) => name !== 'geojson' && name !== 'rss')
