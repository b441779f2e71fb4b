-- What the two users of sql/roles.sql need besides on the servers of a cluster (CLICKHOUSE_CLUSTER; docs/operating.md, Cluster).
-- Run it after roles.sql, on each server.

-- A server asks another one for rows without a limit of their number, which it checks itself when it has them.
ALTER SETTINGS PROFILE banking_reader MODIFY SETTINGS max_result_rows = 20000000 MAX 20000000;

-- Distributed tables read the other servers, and the loader's writes go through them too.
GRANT READ ON REMOTE TO banking_reader;
GRANT READ, WRITE ON REMOTE TO banking_loader;
GRANT CREATE TEMPORARY TABLE ON *.* TO banking_reader, banking_loader;
