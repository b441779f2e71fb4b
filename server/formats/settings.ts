import type { Format } from './names.ts'

type Settings = Readonly<Record<string, string | number>>

/** Absent values and dates are written alike whatever the engine's own defaults are. */
const json: Settings = { date_time_output_format: 'iso', output_format_json_escape_forward_slashes: 0 }

/** ClickHouse's output settings of each format. */
export const formatSettings: Readonly<Record<Format, Settings>> = {
  json,
  columns: json,
  ndjson: json,
  csv: { date_time_output_format: 'iso', format_csv_null_representation: '' },
  arrow: {
    output_format_arrow_compression_method: 'none',
    output_format_arrow_string_as_string: 1,
    output_format_arrow_date_as_uint16: 0,
  },
  geojson: {
    ...json,
    output_format_json_named_tuples_as_objects: 1,
    enable_named_columns_in_function_tuple: 1,
  },
  rss: {},
  // the cells of a row are whole in themselves: plan.rows({ as: 'cells' })
  xlsx: {
    ...json,
    format_custom_escaping_rule: 'Raw',
    format_custom_field_delimiter: '',
    format_custom_row_before_delimiter: '<row>',
    format_custom_row_after_delimiter: '</row>',
  },
  parquet: { output_format_parquet_string_as_string: 1, output_format_parquet_date_as_uint16: 0 },
}
