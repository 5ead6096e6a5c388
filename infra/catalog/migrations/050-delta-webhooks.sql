-- Webhooks of a catalog, which are sent what each publish changed (issue 10).

-- null: of a feed, or of the workspace
alter table webhook add column catalog_id uuid;
-- the shape in which changes are written, and what it asks to be told; a webhook keeps it, so that a retry has the same bytes
alter table webhook add column target text;
alter table webhook add column options jsonb;
create index webhook_by_catalog on webhook (catalog_id) where catalog_id is not null;

-- How far each has acknowledged. What is sent is made of `published` by what stands here, so that no publish writes it anywhere.
create table webhook_delta (
  webhook_id uuid primary key references webhook on delete cascade,
  catalog_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- behind what was acknowledged last; null: nothing yet of the full push that is due
  position text,
  -- all of it is acknowledged
  version bigint not null,
  -- a full push was asked for, by this job
  push uuid,
  -- the version that is being told, in how many parts, and how many of them are acknowledged; null between rounds
  round bigint,
  is_full boolean not null default false,
  parts int,
  part int not null default 0,
  -- how far its parts are counted, and what the last of them has so far
  counted_to uuid,
  counted int not null default 0,
  counted_products int not null default 0,
  counted_bytes bigint not null default 0
);
create index webhook_delta_by_catalog on webhook_delta (catalog_id);

-- Of a delta: what its body is made of; it is made when it is sent.
alter table webhook_event alter column body drop not null;
alter table webhook_event add column delta jsonb;

alter table webhook_delta enable row level security;
create policy tenant on webhook_delta to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select, insert on webhook_delta to assay_api;
