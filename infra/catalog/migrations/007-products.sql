-- Lists of products in other orders than that of their ids, and how fresh they are (issue 5).

-- Beside `products`, whose three indexes are what an import can afford; follows it as product_rank does.
create table product_recent (
  catalog_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  updated_at timestamptz not null,
  primary key (catalog_id, product_id)
);
create index product_recent_order on product_recent (catalog_id, updated_at, product_id);
insert into product_recent (catalog_id, product_id, workspace_id, brand_id, updated_at)
select catalog_id, product_id, workspace_id, brand_id, updated_at from products where alive;

alter table product_recent enable row level security;
create policy tenant on product_recent to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on product_recent to assay_api;

-- Up to when the two have followed: nothing that came before is missing.
alter table rank_due add column due_at timestamptz not null default now();
create function assay_followed(of_catalog uuid) returns timestamptz
language sql stable security definer set search_path from current
as $$ select coalesce(min(d.due_at), now()) from rank_due d join catalog c using (catalog_id)
       where d.catalog_id = of_catalog and c.workspace_id = assay_workspace() $$;
revoke all on function assay_followed(uuid) from public;
grant execute on function assay_followed(uuid) to assay_api;

