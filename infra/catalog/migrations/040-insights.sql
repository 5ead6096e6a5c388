-- How long a workspace keeps its events, in days; null: as long as others do (schemas/retention.ts).
alter table workspace add column event_days int check (event_days > 0);
create index workspace_event_days on workspace (workspace_id) where event_days is not null;

-- What stood on each channel on a day of UTC, and what of it agents met (schemas/visibility.ts). Primary: it cannot be counted again.
create table visibility_snapshot (
  catalog_id uuid not null,
  day date not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- null until it is first taken: until then nobody sees it
  taken_at timestamptz,
  version bigint,
  -- the day was over
  complete boolean not null default false,
  -- events that were taken in and not counted yet, and how far the event store had come
  lag bigint,
  store text,
  -- the last job that was to take it
  taking uuid,
  -- the day's own job was made: there is one
  scheduled boolean not null default false,
  primary key (catalog_id, day)
);

-- A figure that nobody knows is null.
create table visibility_channel (
  catalog_id uuid not null,
  day date not null,
  channel text not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- assay, or callers where only they tell
  recorder text not null,
  offered bigint,
  valid bigint not null,
  feed_ready bigint not null,
  -- published otherwise than they were graded
  unjudged bigint not null,
  searchable bigint not null,
  events bigint not null,
  -- events that met nothing, and those that do not say what they met
  nothing bigint not null,
  unnamed bigint not null,
  seen bigint,
  seen_at_least boolean not null default false,
  -- names in events that are no published product's
  unknown bigint not null,
  primary key (catalog_id, day, channel)
);

create table visibility_product (
  catalog_id uuid not null,
  day date not null,
  channel text not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- events that it appeared in
  appearances bigint not null,
  primary key (catalog_id, day, channel, product_id)
);
create index visibility_product_order on visibility_product (catalog_id, day, channel, appearances desc, product_id);
create index visibility_product_by_day on visibility_product (day);

-- Of a snapshot that is being taken. No grants.
create table visibility_build (
  job_id uuid not null,
  channel text not null,
  product_id uuid not null,
  appearances bigint not null,
  primary key (job_id, channel, product_id)
);

do $$
declare t text;
begin
  foreach t in array array['visibility_snapshot', 'visibility_channel', 'visibility_product'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;

create or replace view pinned_version as
  select (input ->> 'catalog')::uuid as catalog_id, (input ->> 'version')::bigint as version
    from job where kind in ('fork', 'restore', 'visibility') and status in ('queued', 'active');
