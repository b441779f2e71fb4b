-- What of a source an edition is, where it is not the whole of a report date: its tables, and their partitions.
ALTER TABLE load_files ADD COLUMN part LowCardinality(String) AFTER report_date;
