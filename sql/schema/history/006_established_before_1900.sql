-- Many banks are older than ClickHouse's dates, which begin in 1900 and would silently turn 1863 into that:
-- ISO 8601 text holds them all, and sorts alike.
ALTER TABLE fdic_institutions MODIFY COLUMN established_date Nullable(String);
