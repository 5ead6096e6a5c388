-- Feeds as they are read: which platforms a brand is on, what each feed is made with, and its lines, made once per change (DESIGN 5.9).

-- Where a brand has no row at all, every platform may be read as it comes.
create table feed_distribution (
  brand_id uuid not null,
  platform text not null,
  workspace_id text not null,
  enabled boolean not null,
  -- null: the newest
  profile_version int,
  -- null: the brand's default catalog
  of_catalog uuid,
  link_template text,
  tracking jsonb not null default '{}',
  -- what only who sets up the feed can say: schemas/feeds/profile.ts
  options jsonb not null default '{}',
  schedule text,
  updated_at timestamptz not null default now(),
  updated_by text,
  primary key (brand_id, platform)
);

-- Numbered and immutable: positions and lines name the number that they are of. Retired: its lines are removed, and the next
-- who asks for the same gets another number. By chance: after a restore a sequence would give the same ones again.
create table feed_config (
  config_id int primary key default 1 + floor(random() * 999999998)::int,
  catalog_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  platform text not null,
  profile_version int not null,
  link_template text,
  tracking jsonb not null,
  options jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
create unique index feed_config_same on feed_config (catalog_id, platform, profile_version, link_template, tracking, options) nulls not distinct
  where retired_at is null;

-- How far the lines of a configuration are made. An edition is a version times 1,000,000, plus how often lines of that version were
-- judged anew since, because offers begin and end while nothing is published.
create table feed_fill (
  config_id int primary key references feed_config,
  -- the version of which the first lines are
  base bigint not null,
  -- what readers see; null until the first lines are all made
  edition bigint,
  edition_at timestamptz,
  -- how far the first lines have come, or the changes since
  version bigint not null,
  product_id uuid,
  read_at timestamptz not null default now()
);

create table feed_line (
  config_id int not null,
  product_id uuid not null,
  -- editions: seen by who reads one from valid_from on and before valid_to
  valid_from bigint not null,
  valid_to bigint not null default 9223372036854775807,
  workspace_id text not null,
  brand_id uuid not null,
  -- the platform takes it
  ok boolean not null,
  -- what it is to who follows: 1 a line that is new or another, -1 the end of one, 0 neither
  tells smallint not null,
  -- until then the judgement holds; null: for ever
  holds_until timestamptz,
  problems jsonb,
  line text,
  primary key (config_id, product_id, valid_from)
) with (toast_tuple_target = 8160);
-- Of the million lines that a first read makes, none is in any of these unless it is what they are for.
create index feed_line_tail on feed_line (config_id, valid_from, product_id) where tells <> 0;
create index feed_line_due on feed_line (config_id, holds_until) where holds_until is not null and valid_to = 9223372036854775807;
create index feed_line_ended on feed_line (config_id, valid_to) where valid_to < 9223372036854775807;
create index feed_line_refused on feed_line (config_id, product_id, valid_from) where problems is not null;
-- What goes with a removed product is told from this alone.
create index feed_line_gone on feed_line (config_id, valid_from) where not ok and problems is null;
alter table feed_line set (autovacuum_vacuum_insert_scale_factor = 1);

do $$
declare t text;
begin
  foreach t in array array['feed_distribution', 'feed_config', 'feed_line'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
  grant insert, update, delete on feed_distribution to assay_api;
end $$;
