-- Replays of the log into a shadow beside the live rows, which is compared, promoted or discarded (issue 8, DESIGN 5.6).

create table replay (
  replay_id uuid primary key,
  workspace_id text not null,
  -- null: of all brands, and read by those who have all
  brand_id uuid,
  -- those that there were when it began
  catalogs uuid[] not null,
  job_id uuid not null,
  state text not null default 'running' check (state in ('running', 'ready', 'promoting', 'promoted', 'discarded')),
  -- which records choose products
  range jsonb not null,
  -- products a second, and the share of the machine
  pace jsonb not null,
  -- that the shadow is made with, and what was the workspace's when it began
  settings_number int not null,
  weights_number int not null,
  former_settings int not null,
  former_weights int not null,
  verdict jsonb,
  promote_job uuid,
  created_by text not null,
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  ended_at timestamptz,
  -- its shadow's rows are gone
  swept_at timestamptz
);
create index replay_by_workspace on replay (workspace_id, created_at, replay_id);
create index replay_unswept on replay (replay_id) where state in ('promoted', 'discarded') and swept_at is null;
alter table replay enable row level security;
create policy tenant on replay to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on replay to assay_api;

-- Log-derived; every key leads with the catalog, and the API's role has no grant. What a range has chosen:
create table shadow_choice (
  catalog_id uuid not null,
  replay_id uuid not null,
  product_id uuid not null,
  primary key (catalog_id, replay_id, product_id)
);

-- The row that a product would have; rev is one above that of the live row it was made beside.
create table shadow_product (
  like products including storage,
  replay_id uuid not null,
  content_changed boolean not null,
  -- its family is told by two sources
  joined boolean not null,
  primary key (catalog_id, replay_id, product_id)
) with (toast_tuple_target = 8160);

-- Narrow, both sides of each product: a verdict is one look through it.
create table shadow_score (
  catalog_id uuid not null,
  replay_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- the first step at which the two part, and where in it; null where they do not
  step text check (step in ('merge', 'silver', 'gold', 'weights')),
  place text,
  -- null where the product has no score on that side
  score_before smallint,
  score_after smallint,
  sub_before smallint[],
  sub_after smallint[],
  points_before bytea,
  points_after bytea,
  valid_before int,
  valid_after int,
  rubric_before int,
  rubric_after int,
  primary key (catalog_id, replay_id, product_id)
);
