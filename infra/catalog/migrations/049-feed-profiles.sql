-- Profiles of feeds that a workspace makes of a platform's, and forecasts of what another version of a profile would refuse (issue 10).

-- Numbered and immutable, but for being withdrawn: stored lines name the number that they were made with, so a name that is given anew
-- goes on counting.
create table feed_profile (
  workspace_id text not null references workspace,
  name text not null,
  version int not null,
  platform text not null,
  platform_version int not null,
  -- as schemas/feeds/own-rules.ts has them
  rules jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (workspace_id, name, version)
);
alter table feed_profile enable row level security;
create policy tenant on feed_profile to assay_api using (workspace_id = (select assay_workspace()));
grant select, insert, update (withdrawn_at) on feed_profile to assay_api;

-- Products that a forecast found to be judged otherwise; its counts are the result of its job.
create table feed_forecast (
  job_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  -- fails: valid now and refused then; passes: the other way; leaves, comes: by a profile's own rules
  change text not null,
  -- what refuses it, then or now
  problems jsonb not null,
  primary key (job_id, product_id)
);
create index feed_forecast_by_catalog on feed_forecast (catalog_id);
alter table feed_forecast enable row level security;
create policy tenant on feed_forecast to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on feed_forecast to assay_api;

-- A forecast reads one version to its end too.
create or replace view pinned_version as
  select (input ->> 'catalog')::uuid as catalog_id, (input ->> 'version')::bigint as version
    from job where kind in ('fork', 'restore', 'visibility', 'forecast') and status in ('queued', 'active');
