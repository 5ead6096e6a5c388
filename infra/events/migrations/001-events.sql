-- What agents did. A repeat of an event has the same key, so it replaces the former; reads remove what is not yet merged (final).
-- Months, not days: a block that holds a year of late events stays below the parts that one insert may make (KF-50).
-- An absent text is empty and an absent id is zero: a column of Nullable costs a second file, and none of them may be either.
-- Amounts are decimals: a sum of them is exact.
create table if not exists events (
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
  received DateTime64(3, 'UTC')
)
engine = ReplacingMergeTree(received)
partition by toYYYYMM(time)
order by (workspace, brand, time, id)
settings non_replicated_deduplication_window = 1000;

-- Which store this is. The catalog keeps it beside the positions: a store that is new, or came back empty, is told by another id and
-- filled again from the log.
create table if not exists assay_store (id UUID) engine = MergeTree order by id;

insert into assay_store select generateUUIDv4() where (select count() from assay_store) = 0;
