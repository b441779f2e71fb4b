-- A CBSA is a metropolitan or a micropolitan statistical area, and its code does not say which: FDIC's own number of the
-- metropolitan area does. NULL in rows loaded before this column and where a file has no such number.
ALTER TABLE fdic_institutions ADD COLUMN metropolitan Nullable(Bool);
