-- Addresses that a job imports as product pages, and what became of each (issue 6).
create table url_import_item (
  job_id uuid not null,
  position int not null,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  address text not null,
  -- appended: its record is on the log, and the sink may not have passed it yet
  state text not null default 'waiting' check (state in ('waiting', 'appended', 'imported', 'failed')),
  -- where the record stands
  seq bigint,
  epoch int,
  partition int,
  "offset" bigint,
  product_id uuid,
  -- created, updated or unchanged
  result text,
  -- what the page said: its last address, encoding, fields, conflicts and notes
  reading jsonb,
  -- why it failed
  code text,
  says text,
  finished_at timestamptz,
  primary key (job_id, position)
);
create index url_import_item_by_catalog on url_import_item (catalog_id);

alter table url_import_item enable row level security;
create policy tenant on url_import_item to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on url_import_item to assay_api;
