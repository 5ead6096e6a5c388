-- Products that are held to be one thing (DESIGN 5.11): followed beside the pipeline, joined at read, no part of content or score.

-- Products whose content changed, one row per batch and catalog; taken up in order, after a pause.
create table duplicate_due (
  due_id bigint generated always as identity primary key,
  catalog_id uuid not null,
  product_ids uuid[] not null,
  due_at timestamptz not null default now()
);
create index duplicate_due_by_catalog on duplicate_due (catalog_id, due_id);

-- What of a product is compared, and the blocks that it stands in. step: 0 settled, 1 to be compared with its blocks, 2 to be grouped.
create table duplicate_product (
  catalog_id uuid not null,
  product_id uuid not null,
  step smallint not null,
  -- blocks of it that are too large to be compared
  skipped smallint not null default 0,
  keys bigint[] not null,
  finer int[] not null,
  traits jsonb not null,
  primary key (catalog_id, product_id)
) with (fillfactor = 80);
create index duplicate_product_waiting on duplicate_product (catalog_id, step, product_id) where step > 0;
create index duplicate_product_skipped on duplicate_product (catalog_id) where skipped > 0;

-- Every key leads with the catalog, and the API's role has no grant. A block that is too large is read by its finer key.
create table duplicate_key (
  catalog_id uuid not null,
  product_id uuid not null,
  key bigint not null,
  finer int not null
);
create index duplicate_key_block on duplicate_key (catalog_id, key, finer, product_id);

-- Twins as they were compared, the lesser id first; reasons are bits in the order of schemas/duplicate.ts.
create table duplicate_pair (
  catalog_id uuid not null,
  a uuid not null,
  b uuid not null,
  reasons smallint not null,
  confidence smallint not null,
  primary key (catalog_id, a, b)
);
create index duplicate_pair_other on duplicate_pair (catalog_id, b);

-- The id is made of the members' ids: the same members are the same group, and what somebody was shown is what they decide on.
create table duplicate_group (
  catalog_id uuid not null,
  group_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  reasons smallint not null,
  confidence smallint not null,
  found_at timestamptz not null default now(),
  primary key (catalog_id, group_id)
);
create index duplicate_group_order on duplicate_group (catalog_id, confidence desc, group_id);

create table duplicate_member (
  catalog_id uuid not null,
  product_id uuid not null,
  group_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  reasons smallint not null,
  confidence smallint not null,
  primary key (catalog_id, product_id)
);
create index duplicate_member_by_group on duplicate_member (catalog_id, group_id);

-- Primary: what a person told apart, pair by pair, so that it stays so in every later group.
create table duplicate_dismissal (
  catalog_id uuid not null,
  a uuid not null,
  b uuid not null,
  group_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  dismissed_by text not null,
  dismissed_at timestamptz not null default now(),
  primary key (catalog_id, a, b)
);
create index duplicate_dismissal_by_group on duplicate_dismissal (catalog_id, group_id);

-- How far a catalog's groups have come. compared: something was, so that blocks that pass the cap must be looked at again.
create table duplicate_state (
  catalog_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  compared boolean not null default false,
  -- something was taken up and is not settled yet
  busy boolean not null default false,
  -- products of which a block was too large to be compared
  skipped int not null default 0,
  -- up to when nothing is missing; null before the first round ended
  settled_at timestamptz
);

do $$
declare t text;
begin
  foreach t in array array['duplicate_group', 'duplicate_member', 'duplicate_dismissal', 'duplicate_state'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;

-- Catalogs of before are looked through too.
insert into duplicate_due (catalog_id, product_ids)
select catalog_id, array_agg(product_id order by product_id)
  from (select catalog_id, product_id, (row_number() over (partition by catalog_id order by product_id)) / 2000 as page
          from products where alive) p
 group by catalog_id, page order by catalog_id, page;
