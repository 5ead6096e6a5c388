-- Pipeline settings and what follows from them: stale products, weights that are built beside the live ones, bulk jobs.

-- silver_number: the settings under which silver last changed; products refined under an older number are stale.
-- refined_number: all products of the workspace are refined at least under this one.
-- weights_pending: their ranks are being built; rank_sweep: ranks of former weights are still there.
alter table workspace add column silver_number int not null default 1;
alter table workspace add column refined_number int not null default 1;
alter table workspace add column weights_pending int;
alter table workspace add column rank_sweep boolean not null default false;
create index workspace_unsettled on workspace (workspace_id)
 where refined_number < silver_number or weights_pending is not null or rank_sweep;

-- Lists join on the workspace's number, so that one update of the workspace flips all of them.
alter table product_rank drop constraint product_rank_pkey;
alter table product_rank add primary key (catalog_id, weights_number, product_id);
drop index product_rank_order;
create index product_rank_order on product_rank (catalog_id, weights_number, score desc, product_id);

-- Empty where the triggers are on: it costs a first import nothing, and a publish counts what was never refined without a scan.
create index products_bronze on products (catalog_id, product_id) where stage = 'bronze';

create table weights_history (
  catalog_id uuid not null,
  weights_number int not null,
  workspace_id text not null,
  brand_id uuid not null,
  former_number int not null,
  at timestamptz not null default now(),
  primary key (catalog_id, weights_number)
);
alter table weights_history enable row level security;
create policy tenant on weights_history to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on weights_history to assay_api;

-- What a bulk job's records really did: one row per batch of the worker. The API's role has no grant; the job's result has the sums.
create table bulk_outcome (
  job_id uuid not null,
  epoch int not null,
  partition int not null,
  first_offset bigint not null,
  changed bigint not null,
  unchanged bigint not null,
  refused bigint not null,
  primary key (job_id, epoch, partition, first_offset)
);

grant insert on settings_version, weights_version to assay_api;
