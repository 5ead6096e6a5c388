-- The tables of the spine (DESIGN section 5). Forward only. The pipeline's role owns everything; the API's role sees what
-- is granted at the end, each table under policy.

create table workspace (
  workspace_id text primary key check (workspace_id ~ '^ws_[a-z0-9]+$'),
  name text not null,
  settings_number int not null default 1,
  weights_number int not null default 1,
  created_at timestamptz not null default now()
);

create table brand (
  brand_id uuid primary key,
  workspace_id text not null references workspace,
  name text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, name)
);

-- Numbered and immutable: a result names the numbers it was made with.
create table settings_version (
  workspace_id text not null references workspace,
  number int not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  created_by text,
  primary key (workspace_id, number)
);

-- Seven integers that sum to 10000, in the order of schemas/score.ts.
create table weights_version (
  workspace_id text not null references workspace,
  number int not null,
  w int[] not null check (array_length(w, 1) = 7),
  created_at timestamptz not null default now(),
  created_by text,
  primary key (workspace_id, number)
);

create table catalog (
  catalog_id uuid primary key,
  workspace_id text not null references workspace,
  brand_id uuid not null references brand,
  name text not null,
  is_default boolean not null default false,
  auto_publish text not null default 'off' check (auto_publish in ('off', 'after_gold')),
  published_version bigint not null default 0,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index catalog_default on catalog (brand_id) where is_default;
create index catalog_by_workspace on catalog (workspace_id, catalog_id);

-- Identity -----------------------------------------------------------------------------------------------------------
-- Kinds by number, strongest first: 1 id, 2 sku, 3 source id, 4 family+options, 5 gtin, 6 mpn+brand, 7 url, 8 whole row, 9 random.
-- value_hash is the first 16 bytes of a SHA-256; no tenant column is needed where every key leads with the catalog and the
-- API's role has no grant.
create table product_identity (
  catalog_id uuid not null,
  kind smallint not null,
  value_hash bytea not null,
  product_id uuid not null,
  shared boolean not null default false,
  -- of the product's options, where its row had some: a row with other options does not attach
  options_hash bytea,
  primary key (catalog_id, kind, value_hash)
);

-- Products that were made without a SKU (or without options) and were given one later; what product_id itself cannot tell.
create table identity_gained (
  catalog_id uuid not null,
  product_id uuid not null,
  sku_hash bytea,
  options_hash bytea,
  primary key (catalog_id, product_id)
);

-- Imports ------------------------------------------------------------------------------------------------------------
create sequence import_context_id start 1;
create table import_context (
  context_id bigint primary key,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  source text not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);

create table file_source (
  catalog_id uuid not null,
  source text not null,
  workspace_id text not null,
  brand_id uuid not null,
  header text[] not null,
  last_rows bigint,
  updated_at timestamptz not null default now(),
  primary key (catalog_id, source)
);

create table import (
  import_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  job_id uuid not null,
  source text,
  context_id bigint,
  -- waiting, reading, appending, settling, completed, failed, held
  state text not null default 'waiting',
  file_name text not null,
  spool text not null,
  bytes bigint not null,
  sha256 text not null,
  options jsonb not null default '{}',
  read bigint not null default 0,
  records bigint,
  -- highest seq whose record is on the log; the transaction of the append moves it
  appended_seq bigint not null default -1,
  -- per partition the first offset of this import and one past its last: {"epoch": e, "from": [..], "to": [..]}
  offsets jsonb,
  guard jsonb,
  result jsonb,
  error text,
  created_by text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index import_by_catalog on import (catalog_id, created_at);

create table import_progress (
  import_id uuid not null,
  epoch int not null,
  partition int not null,
  max_seq bigint not null,
  primary key (import_id, epoch, partition)
);

-- One row per batch; the reader's own results stand under partition -1. Its sums are the ledger.
create table import_outcome (
  import_id uuid not null,
  epoch int not null,
  partition int not null,
  first_seq bigint not null,
  workspace_id text not null,
  brand_id uuid not null,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  duplicate bigint not null default 0,
  rejected bigint not null default 0,
  warnings jsonb not null default '{}',
  primary key (import_id, epoch, partition, first_seq)
);

-- Only rows that were rejected, were duplicates, or carry a warning.
create table import_row (
  import_id uuid not null,
  row_number bigint not null,
  ordinal smallint not null,
  workspace_id text not null,
  brand_id uuid not null,
  result text not null,
  code text,
  says text,
  field text,
  column_name text,
  raw text,
  primary key (import_id, row_number, ordinal)
);

-- Products -----------------------------------------------------------------------------------------------------------
-- Log-derived. At most three indexes. layers is raw JSON bytes: jsonb refuses U+0000, zstd per row costs 60-80 µs.
create table products (
  catalog_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  kind text not null,
  stage text not null,
  -- compare-and-set counter of this row
  rev bigint not null,
  family_id uuid,
  source_identifier bytea not null,
  sku text,
  gtin text,
  title text,
  price_minor bigint,
  currency text,
  availability text,
  alive boolean not null,
  content_hash bytea not null,
  settings_number int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  refined jsonb not null,
  layers bytea not null,
  primary key (catalog_id, product_id)
) with (toast_tuple_target = 8160, fillfactor = 90);
create index products_by_sku on products (catalog_id, sku) where sku is not null;
create index products_by_family on products (catalog_id, family_id) where family_id is not null;

-- Narrow: new weights are tried over this table alone. rule_points has one byte per rule of the rubric: percent attained,
-- 255 where the rule does not apply.
create table product_score (
  catalog_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  s1 smallint not null, s2 smallint not null, s3 smallint not null, s4 smallint not null,
  s5 smallint not null, s6 smallint not null, s7 smallint not null,
  rule_points bytea not null,
  -- bit set of the platform profiles (schemas/feeds) that the product passes
  valid int not null,
  rubric_version int not null,
  scored_at timestamptz not null,
  primary key (catalog_id, product_id)
);

create table score_history (
  catalog_id uuid not null,
  product_id uuid not null,
  scored_at timestamptz not null,
  workspace_id text not null,
  brand_id uuid not null,
  s smallint[] not null,
  rubric_version int not null,
  weights_number int not null
);
create index score_history_by_product on score_history (catalog_id, product_id, scored_at);

-- For lists sorted by score; follows product_score.
create table product_rank (
  catalog_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  score smallint not null,
  weights_number int not null,
  primary key (catalog_id, product_id)
);
create index product_rank_order on product_rank (catalog_id, score desc, product_id);
create table rank_due (
  due_id bigint generated always as identity primary key,
  catalog_id uuid not null,
  product_ids uuid[] not null
);

-- A first import only inserts: by default it would be vacuumed several times while it runs (a tenth of its rate at 1 M rows).
alter table products set (autovacuum_vacuum_insert_scale_factor = 1);
alter table product_score set (autovacuum_vacuum_insert_scale_factor = 1);
alter table product_identity set (autovacuum_vacuum_insert_scale_factor = 1);

-- The log ------------------------------------------------------------------------------------------------------------
create table log_epoch (
  epoch int primary key,
  engine text not null,
  partitions int not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz
);

-- next_offset is locked in order of partition, so offsets are dense and visible in order.
create table log_counter (
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  primary key (topic, partition)
);

-- One row per record batch, zstd, like Kafka's own format (0.72 of a bare COPY against 0.47 with a row per record).
-- Segments are list partitions: one is dropped, never deleted row by row, and only after it was archived. The key leads with
-- topic, partition and offset, so that a read in order merges the segments' indexes and stops at its limit.
create table log (
  segment int not null,
  topic text not null,
  partition int not null,
  base_offset bigint not null,
  n int not null,
  -- n times 16 bytes: the keys in order, so that reading by product decodes only the batches it needs
  keys bytea not null,
  payload bytea not null,
  primary key (topic, partition, base_offset, segment)
) partition by list (segment);
alter table log alter column keys set storage external, alter column payload set storage external;
create table log_segment (
  segment int primary key,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  -- set when the key index of the segment is complete
  indexed_at timestamptz
);
create table log_1 partition of log for values in (1);
insert into log_segment (segment) values (1);

-- One batch of one partition; answers its first offset. The counter stays locked until the transaction ends: call in order of
-- topic and partition. The shared lock lets a segment be closed only between transactions that append.
create function log_append(into_topic text, into_partition int, records int, record_keys bytea, record_payload bytea) returns bigint
language plpgsql as $$
declare
  first bigint;
begin
  perform pg_advisory_xact_lock_shared(1634956409, 2);
  loop
    update log_counter c set next_offset = c.next_offset + records
     where c.topic = into_topic and c.partition = into_partition
    returning c.next_offset - records into first;
    exit when found;
    insert into log_counter (topic, partition) values (into_topic, into_partition) on conflict do nothing;
  end loop;
  insert into log (segment, topic, partition, base_offset, n, keys, payload)
  values ((select max(s.segment) from log_segment s where s.closed_at is null),
          into_topic, into_partition, first, records, record_keys, record_payload);
  return first;
end $$;

-- The key index of closed segments.
create table log_key (
  segment int not null,
  topic text not null,
  product_id uuid not null,
  partition int not null,
  base_offset bigint not null,
  primary key (segment, topic, product_id, partition, base_offset)
);

create table sink_position (
  consumer_group text not null,
  epoch int not null,
  topic text not null,
  partition int not null,
  next_offset bigint not null,
  owner_epoch bigint not null,
  primary key (consumer_group, epoch, topic, partition)
);

-- Primary: the worker judges a precondition once, refold never judges again.
create table refused (
  epoch int not null,
  partition int not null,
  "offset" bigint not null,
  product_id uuid not null,
  code text not null,
  says text not null,
  primary key (epoch, partition, "offset")
);
create index refused_by_product on refused (product_id);

create table dead_record (
  epoch int not null,
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  workspace_id text,
  reason text not null,
  attempts int not null,
  at timestamptz not null default now(),
  primary key (epoch, topic, partition, "offset")
);

-- Imports that are taken out of the catalog, as refold must know them.
create table voided_import (
  import_id uuid primary key,
  catalog_id uuid not null,
  voided boolean not null
);

-- Publishing ---------------------------------------------------------------------------------------------------------
create table dirty (
  dirty_id bigint generated always as identity primary key,
  catalog_id uuid not null,
  product_ids uuid[] not null
);
create index dirty_by_catalog on dirty (catalog_id, dirty_id);

create table publish (
  catalog_id uuid not null,
  version bigint not null,
  workspace_id text not null,
  brand_id uuid not null,
  job_id uuid not null,
  -- building, published, cancelled
  state text not null,
  -- highest dirty row that this version takes in
  upto bigint not null,
  -- last dirty row written, so that a build that died goes on
  built_to bigint not null default 0,
  added bigint not null default 0,
  modified bigint not null default 0,
  removed bigint not null default 0,
  unrefined bigint not null default 0,
  changelog text,
  published_by text,
  published_at timestamptz,
  primary key (catalog_id, version)
);
create unique index publish_building on publish (catalog_id) where state = 'building';

-- A removal is a row without content; neither score nor feed-readiness is part of hash.
create table published (
  catalog_id uuid not null,
  product_id uuid not null,
  valid_from bigint not null,
  valid_to bigint not null default 9223372036854775807,
  workspace_id text not null,
  brand_id uuid not null,
  hash bytea not null,
  content jsonb,
  primary key (catalog_id, product_id, valid_from)
);
create index published_by_version on published (catalog_id, valid_from, product_id);

create table outbox (
  subscription text not null,
  kind text not null,
  cause text not null,
  part int not null default 0,
  workspace_id text not null,
  brand_id uuid,
  body jsonb not null,
  created_at timestamptz not null default now(),
  primary key (subscription, kind, cause, part)
);

create table job (
  job_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid,
  kind text not null,
  -- queued, active, completed, failed
  status text not null default 'queued',
  input jsonb not null,
  done bigint not null default 0,
  total bigint,
  result jsonb,
  error jsonb,
  created_by text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index job_by_workspace on job (workspace_id, created_at, job_id);

-- The API's role -----------------------------------------------------------------------------------------------------
-- Not the owner, under policy, principal set per transaction: assay.workspace, and assay.brands as a comma list or '*'.
create function assay_workspace() returns text language sql stable as $$ select current_setting('assay.workspace', true) $$;
create function assay_all_brands() returns boolean language sql stable as $$ select current_setting('assay.brands', true) = '*' $$;
create function assay_brands() returns uuid[] language sql stable as $$
  select case when current_setting('assay.brands', true) in ('', '*') then array[]::uuid[]
              else string_to_array(current_setting('assay.brands', true), ',')::uuid[] end
$$;

do $$
declare t text;
begin
  foreach t in array array['brand', 'catalog', 'import', 'import_context', 'import_outcome', 'import_row', 'file_source', 'products',
                           'product_score', 'product_rank', 'score_history', 'published', 'publish', 'job'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
  foreach t in array array['workspace', 'settings_version', 'weights_version'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace()))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
  grant insert, update on catalog to assay_api;
end $$;
