-- Forks, merges and restores of catalogs (issue 5).

-- The catalog and its version that a fork was made of.
alter table catalog add column base_catalog uuid;
alter table catalog add column base_version bigint;

-- Primary: each product of a fork, the product of the base catalog that it was made of, and the state in which both last were one:
-- at first that of the version, then that which was merged. So a merge needs no version that retention may have dropped.
create table fork_product (
  catalog_id uuid not null,
  product_id uuid not null,
  origin_id uuid not null,
  base jsonb not null,
  primary key (catalog_id, product_id)
);
create unique index fork_product_by_origin on fork_product (catalog_id, origin_id);

-- Versions that a running job reads: retention keeps them.
create view pinned_version as
  select (input ->> 'catalog')::uuid as catalog_id, (input ->> 'version')::bigint as version
    from job where kind in ('fork', 'restore') and status in ('queued', 'active');

-- One merge of a catalog into another, of which one is a fork of the other. States: planning, ready, applying, applied.
create table merge (
  merge_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  target_id uuid not null,
  source_id uuid not null,
  fork_id uuid not null,
  state text not null default 'planning',
  dry_run boolean not null,
  choices jsonb not null default '[]',
  edited bigint not null default 0,
  created bigint not null default 0,
  deleted bigint not null default 0,
  -- products that were edited after they were planned, and so were left as they are
  refused bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  applied_at timestamptz
);

-- What the plan saw of each product that changed in the source, under the id that it has or will have in the target.
create table merge_item (
  merge_id uuid not null,
  product_id uuid not null,
  source_product_id uuid not null,
  -- none, edit, create, delete
  action text not null,
  fields text[] not null,
  kind text not null,
  family_id uuid,
  source_identifier text not null,
  -- position of the target's last change; null where it was never there
  target_rev bigint,
  base jsonb,
  source jsonb,
  target jsonb,
  primary key (merge_id, product_id)
);
create index merge_item_by_source on merge_item (merge_id, source_product_id);

create table merge_conflict (
  merge_id uuid not null,
  product_id uuid not null,
  field text not null,
  workspace_id text not null,
  brand_id uuid not null,
  base jsonb,
  source jsonb,
  target jsonb,
  -- from, target; null: nobody has chosen
  take text,
  primary key (merge_id, product_id, field)
);

do $$
declare t text;
begin
  foreach t in array array['merge', 'merge_conflict'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
