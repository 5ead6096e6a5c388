-- Each event has its place on the log (infra/events/place.ts), so that many questions can see the same events while more come. Of
-- copies of an event the first on the log is the one that counts: if a later copy took its place, an event that was in a snapshot
-- would leave it. The column by which copies replace one another cannot be changed in a table, so the table is made anew, with
-- whatever columns it has. Wherever this breaks off it can begin again: the table is whole before the exchange and after it.
-- log_stream is epoch and partition in one number; 0 is from before there were places.
alter table events add column if not exists log_stream UInt32 codec(ZSTD),
  add column if not exists log_rank UInt64 default 18446744073709551615 codec(Delta, ZSTD);

drop table if exists events_placed;

create table events_placed as events
engine = ReplacingMergeTree(log_rank)
partition by toYYYYMM(time)
order by (workspace, brand, time, id)
settings non_replicated_deduplication_window = 1000;

-- Month by month: of a large store each is as much as one statement should have to do.
insert into events_placed select * from events where _partition_id = {partition of events};

exchange tables events and events_placed;

drop table events_placed;
