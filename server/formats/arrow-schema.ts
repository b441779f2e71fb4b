/** The Arrow schema of an answer, as Parquet files carry it beside their own. */
import {
  Bool,
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  TimestampMillisecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow'
import type { Column, ColumnType } from '../catalog/columns.ts'
import { fieldOf, schemaMessage } from './arrow-fields.ts'

/**
 * Value of `ARROW:schema` in a Parquet footer: a schema message in Base64 (Arrow's C++ implementation, "Parquet
 * writer properties", store_schema). Parquet itself has no place for what a field says of itself. Readers that take it
 * take the metadata of the schema from it too.
 */
export function arrowSchemaEntry(
  columns: readonly Column[],
  metadata: Readonly<Record<string, string>>,
): string {
  const fields = columns.map((column) => fieldOf(column, arrowType(column.type)))
  return schemaMessage(fields, metadata).toString('base64')
}

const list = (item: DataType): DataType => new List(new Field('element', item, true))

/** The type as ClickHouse's Parquet and Arrow have it, but for dictionaries. */
export const arrowType = (type: ColumnType): DataType => types[type]?.() ?? new Utf8()

const types: Readonly<Partial<Record<ColumnType, () => DataType>>> = {
  Bool: () => new Bool(),
  Code: () => new Utf8(),
  String: () => new Utf8(),
  Date: () => new DateDay(),
  Date32: () => new DateDay(),
  DateTime: () => new TimestampSecond('UTC'),
  'DateTime64(3)': () => new TimestampMillisecond('UTC'),
  Float64: () => new Float64(),
  Int32: () => new Int32(),
  Int64: () => new Int64(),
  UInt8: () => new Uint8(),
  UInt16: () => new Uint16(),
  UInt32: () => new Uint32(),
  UInt64: () => new Uint64(),
  'Array(String)': () => list(new Utf8()),
  'Array(UInt32)': () => list(new Uint32()),
  'Array(Float64)': () => list(new Float64()),
}
