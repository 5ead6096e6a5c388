-- What agents' events say of products: how often each is met, whether that rises, and what is met together with it. Counted from the
-- event store by a job, in generations: readers have one of them whole, and who goes on from a cursor of a search keeps to its own.
create table popularity (
  brand_id uuid primary key,
  workspace_id text not null,
  -- in force; 0: nothing was counted yet
  generation int not null default 0,
  -- the two that were in force before it: who goes on from a cursor reads them
  formers int[] not null default '{}',
  -- the last that was begun
  begun int not null default 0,
  products int not null default 0,
  -- when the events of it were counted
  counted_at timestamptz,
  -- when it is looked next whether there is something to count, and the last job that was to count it
  due_at timestamptz not null default '-infinity',
  taking uuid
);

create table product_popularity (
  catalog_id uuid not null,
  product_id uuid not null,
  generation int not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- weights of events, each halved once a week
  points real not null,
  -- by how much the last days are above those before; 0 where they are not
  trend real not null,
  primary key (catalog_id, product_id, generation)
);

-- Of a product those that were bought or viewed with it, in catalog_id; the same one may stand there twice, where events call it by two names.
create table product_companions (
  catalog_id uuid not null,
  product_id uuid not null,
  method text not null,
  generation int not null,
  workspace_id text not null,
  brand_id uuid not null,
  others uuid[] not null,
  weights real[] not null,
  primary key (catalog_id, product_id, method, generation)
);

-- While a job counts: what events call products, and what they say of them. No grants.
create table popularity_name (
  job_id uuid not null,
  -- of the name
  hash bigint not null,
  catalog_id uuid not null,
  product_id uuid not null,
  points float8 not null,
  recent float8 not null,
  before float8 not null,
  -- events that put it into baskets of each kind
  together float8 not null,
  viewed_together float8 not null,
  primary key (job_id, hash)
);

do $$
declare t text;
begin
  foreach t in array array['popularity', 'product_popularity', 'product_companions'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
