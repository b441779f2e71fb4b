-- The two users on a ClickHouse server that CLICKHOUSE_URL names; the embedded engine makes the same by itself
-- (server/engine/profiles.ts, which a test holds equal). Run it once as an administrator, with the SHA-256 of passwords
-- of your own as parameters, and with the name of CLICKHOUSE_DATABASE where that is not `banking`:
--   sha256() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
--   clickhouse-client --queries-file sql/roles.sql \
--     --param_reader_sha256="$(sha256 "$READER_PASSWORD")" --param_loader_sha256="$(sha256 "$LOADER_PASSWORD")"
-- On a cluster add ON CLUSTER to each statement.

-- What answers requests: reads version databases and nothing else, within limits that no query can raise.
CREATE SETTINGS PROFILE IF NOT EXISTS banking_reader SETTINGS
    readonly = 2,
    max_sessions_for_user = 0 CONST,
    max_concurrent_queries_for_user = 64 CONST,
    max_memory_usage = 2147483648 MIN 1 MAX 2147483648,
    max_memory_usage_for_user = 4294967296 CONST,
    max_execution_time = 30 MIN 1 MAX 600,
    max_threads = 8 MIN 1 MAX 8,
    max_result_rows = 20000000 MIN 1 MAX 20000000,
    max_rows_to_read = 2000000000 MIN 1 MAX 2000000000,
    timeout_overflow_mode = 'throw' CONST,
    result_overflow_mode = 'throw' CONST,
    read_overflow_mode = 'throw' CONST,
    max_bytes_before_external_group_by = 1073741824,
    max_bytes_before_external_sort = 1073741824,
    use_uncompressed_cache = 1,
    local_filesystem_read_method = 'pread',
    optimize_and_compare_chain = 0,
    cancel_http_readonly_queries_on_client_close = 1 CONST,
    http_write_exception_in_output_format = 0 CONST,
    output_format_arrow_compression_method = 'none',
    output_format_json_quote_64bit_integers = 0,
    output_format_json_quote_denormals = 0;

CREATE USER IF NOT EXISTS banking_reader
    IDENTIFIED WITH sha256_hash BY {reader_sha256:String}
    SETTINGS PROFILE 'banking_reader';

GRANT SELECT ON `banking_v_*`.* TO banking_reader;
GRANT dictGet ON `banking_v_*`.* TO banking_reader;

-- What loads and publishes: the control database and all version databases, no files or addresses of the server.
CREATE SETTINGS PROFILE IF NOT EXISTS banking_loader SETTINGS
    mutations_sync = 2,
    alter_sync = 2,
    max_partitions_per_insert_block = 1000,
    max_partition_size_to_drop = 0,
    max_table_size_to_drop = 0;

CREATE USER IF NOT EXISTS banking_loader
    IDENTIFIED WITH sha256_hash BY {loader_sha256:String}
    SETTINGS PROFILE 'banking_loader';

GRANT SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE DICTIONARY, DROP, TRUNCATE, OPTIMIZE,
    SHOW, dictGet ON `banking*`.* TO banking_loader;
GRANT TABLE ENGINE ON * TO banking_loader;
GRANT SELECT ON system.* TO banking_loader;
GRANT KILL QUERY ON *.* TO banking_loader;
-- what was loaded is to be on the disk before it is published
GRANT SYSTEM SYNC FILE CACHE ON *.* TO banking_loader;
