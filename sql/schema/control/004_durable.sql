-- What a data version held when it was published: rows by table and partition, and each table and view with 0 in the
-- partition ''. A start compares: files that a power cut or a disk tore would else be figures that are silently gone.
ALTER TABLE publications ADD COLUMN IF NOT EXISTS holds Array(Tuple(table String, partition String, rows UInt64));

-- An acknowledged row outlasts a power cut. client_use is not among them: it is written twice a second, and what is
-- lost of it are some counts.
ALTER TABLE publications MODIFY SETTING
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
ALTER TABLE api_key_changes MODIFY SETTING
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
