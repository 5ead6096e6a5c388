-- Every row of an import has a result that can be listed: those without a row in import_row stand here, about a byte each.
-- Null where the batch was written before: it counts them and tells no more.
alter table import_outcome add column first_row bigint, add column last_row bigint, add column row_results bytea;
-- At a byte a row there is little left for a compressor.
alter table import_outcome alter column row_results set storage external;
-- A page goes from the row it begins after; the batches it needs not are told by the index alone.
create index import_outcome_by_row on import_outcome (import_id, last_row, first_row) where last_row is not null;
