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
