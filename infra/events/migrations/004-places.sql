-- Each event has its place on the log (infra/events/place.ts), so that many questions can see the same events while more come. Of
-- copies of an event the first on the log is the one that counts: if a later copy took its place, an event that was in a snapshot
-- would leave it. So the column by which copies replace one another is another one, which an engine cannot be told later: the table
-- is made anew. Whatever statement this breaks off at, it can begin again: until the exchange the old table is whole, and after it the new.
drop table if exists events_placed;

create table events_placed (
  workspace LowCardinality(String),
  brand UUID,
  time DateTime64(3, 'UTC'),
  id UUID,
  type LowCardinality(String),
  catalog UUID,
  product_id String,
  session_id String,
  agent_id String,
  agent_name LowCardinality(String),
  agent_version LowCardinality(String),
  agent_kind LowCardinality(String),
  customer_id String,
  value Nullable(Decimal(38, 9)),
  amount Nullable(Decimal(38, 9)),
  price Nullable(Decimal(38, 9)),
  quantity Nullable(Decimal(38, 9)),
  duration_ms Nullable(Decimal(38, 9)),
  score Nullable(Decimal(38, 9)),
  rating Nullable(Decimal(38, 9)),
  currency LowCardinality(String),
  metadata Map(LowCardinality(String), String),
  received DateTime64(3, 'UTC'),
  -- epoch and partition in one number; 0: from before there were places
  log_stream UInt32 codec(ZSTD),
  log_rank UInt64 default 18446744073709551615 codec(Delta, ZSTD)
)
engine = ReplacingMergeTree(log_rank)
partition by toYYYYMM(time)
order by (workspace, brand, time, id)
settings non_replicated_deduplication_window = 1000;

insert into events_placed (workspace, brand, time, id, type, catalog, product_id, session_id, agent_id, agent_name, agent_version,
  agent_kind, customer_id, value, amount, price, quantity, duration_ms, score, rating, currency, metadata, received)
select workspace, brand, time, id, type, catalog, product_id, session_id, agent_id, agent_name, agent_version,
  agent_kind, customer_id, value, amount, price, quantity, duration_ms, score, rating, currency, metadata, received from events;

exchange tables events and events_placed;

drop table events_placed;
