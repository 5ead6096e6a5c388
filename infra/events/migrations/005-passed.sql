-- How far the log stands in this store, by partition: a copy of it that was taken earlier is told by having less than the catalog's
-- positions say, and is filled again from there.
create table if not exists assay_passed (log_stream UInt32, next UInt64)
engine = ReplacingMergeTree(next)
order by log_stream;
