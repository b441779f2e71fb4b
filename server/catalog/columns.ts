/**
 * Column builders, and the columns that many datasets share. A column says once what its name, type, unit
 * and meaning are; SELECT, JSON Schema, OpenAPI, `meta.units`, Arrow field metadata and the docs follow.
 */

/** ClickHouse types that an answer may hold. `Code` is a repeated string, dictionary-encoded in Arrow where it is not nullable. */
export type ColumnType =
  | 'Bool'
  | 'Code'
  | 'Date'
  | 'Date32'
  | 'DateTime'
  | 'DateTime64(3)'
  | 'Float64'
  | 'Int32'
  | 'Int64'
  | 'String'
  | 'UInt8'
  | 'UInt16'
  | 'UInt32'
  | 'UInt64'
  | 'Array(String)'
  | 'Array(UInt32)'
  | 'Array(Float64)'
  /** Nested: `fields` says what is inside; only with results of one row or in the catalogs. */
  | 'Tuple'
  | 'Array(Tuple)'

export type Unit =
  | 'thousands of US dollars'
  | 'percent'
  | 'percentage points'
  | 'ratio'
  | 'count'
  | 'days'
  | 'years'
  | 'index'
  | (string & {})

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Short human name: heading of a grid, `label` of an Arrow field. */
  readonly label: string
  /** Meaning, where the label does not say it all. */
  readonly doc?: string
  readonly unit?: Unit
  /** The expression over the relation; the column's own name where it is left out. */
  readonly sql?: string
  readonly fields?: readonly Column[]
}

/** Stands for metrics of the catalog: those that the request chose, else the default ones. */
export interface MetricColumns {
  readonly metrics: 'all' | 'headline' | readonly string[]
}

export interface ColumnOptions {
  doc?: string
  unit?: Unit
  sql?: string
  nullable?: boolean
}

const make =
  (type: ColumnType, nullableByDefault: boolean) =>
  (name: string, label: string, options: ColumnOptions = {}): Column => ({
    name,
    label,
    type,
    nullable: options.nullable ?? nullableByDefault,
    ...(options.doc !== undefined && { doc: options.doc }),
    ...(options.unit !== undefined && { unit: options.unit }),
    ...(options.sql !== undefined && { sql: options.sql }),
  })

/** Free text. Never null unless said: an absent name is a fault of the source worth seeing. */
export const text = make('String', false)
/** A repeated short string (a state, a class). */
export const code = make('Code', false)
/** A 32-bit identifier: RSSD ID, certificate, charter number. */
export const id = make('UInt32', false)
export const date = make('Date', false)
/** A date that may lie before 1970 or after 2149. */
export const longDate = make('Date32', false)
export const instant = make('DateTime64(3)', false)
export const flag = make('Bool', false)
export const count = (name: string, label: string, options: ColumnOptions = {}): Column =>
  make('UInt64', false)(name, label, { unit: 'count', ...options })
export const smallCount = (name: string, label: string, options: ColumnOptions = {}): Column =>
  make('UInt32', false)(name, label, { unit: 'count', ...options })
export const strings = make('Array(String)', false)

/** A figure: Float64, null where it is absent. Say the unit. */
export const figure = make('Float64', true)
export const money = (name: string, label: string, options: ColumnOptions = {}): Column =>
  figure(name, label, { unit: 'thousands of US dollars', ...options })
export const percent = (name: string, label: string, options: ColumnOptions = {}): Column =>
  figure(name, label, { unit: 'percent', ...options })

/** Any other ClickHouse type of the list. */
export const column = (type: ColumnType, name: string, label: string, options: ColumnOptions = {}): Column =>
  make(type, false)(name, label, options)

/** A nested object: a named Tuple in SQL. */
export const object = (
  name: string,
  label: string,
  fields: readonly Column[],
  options: ColumnOptions = {},
): Column => ({ ...make('Tuple', false)(name, label, options), fields })

/** A nested list of objects: an Array of named Tuples in SQL. */
export const objects = (
  name: string,
  label: string,
  fields: readonly Column[],
  options: ColumnOptions = {},
): Column => ({ ...make('Array(Tuple)', false)(name, label, options), fields })

/**
 * Columns of metrics. Over a relation with a column a metric they are its columns, over `bank_rows` elements
 * of its array. `selection` is what an answer has by default; a `metrics` parameter chooses others, and
 * `fields` may name any metric of the catalog.
 */
export const metricColumns = (selection: MetricColumns['metrics'] = 'all'): MetricColumns => ({
  metrics: selection,
})

/** NULL instead of NaN or infinity: absent values are null in every format. */
export const finite = (sql: string): string => `if(isFinite(${sql}), ${sql}, NULL)`

/** Same column over another expression, or with another nullability. */
export const over = (base: Column, changes: Partial<Column>): Column => ({ ...base, ...changes })

export const rssdId = id('rssd_id', 'RSSD ID', { doc: 'Federal Reserve identifier of the institution.' })
export const cert = id('cert', 'FDIC certificate', { doc: 'FDIC certificate number.' })
export const legalName = text('legal_name', 'Legal name')
export const city = text('city', 'City', { doc: 'City of the head office.' })
export const hqState = code('hq_state', 'State', { doc: 'USPS code of the head office.' })
export const charter = code('charter', 'Charter class', {
  nullable: true,
  doc: 'FDIC charter class (N, NM, SM, SB, SA, OI); null until FDIC institution data is loaded.',
})
export const regulator = code('regulator', 'Primary regulator', {
  nullable: true,
  doc: 'OCC, FDIC or FED; null until FDIC institution data is loaded.',
})
export const form = code('form', 'Report form', { doc: 'FFIEC form filed: 031, 041 or 051.' })
export const holdingCompanyRssdId = id('holding_company_rssd_id', 'Holding company RSSD ID', {
  nullable: true,
})
export const holdingCompanyName = text('holding_company_name', 'Holding company', { nullable: true })
export const cbsaCode = text('cbsa_code', 'CBSA code', {
  nullable: true,
  doc: 'Core based statistical area.',
})
export const cohort = code('cohort', 'Asset-size cohort', { doc: 'Key of the asset-size tier.' })
export const reportDate = date('report_date', 'Report date', { doc: 'Last day of the quarter reported.' })

/** Who the institution is, as of a quarter: the columns of `bank_quarters` before the metrics. */
export const identity: readonly Column[] = [rssdId, cert, legalName, city, hqState, charter, regulator]
