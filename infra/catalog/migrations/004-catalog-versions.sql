-- Catalogs that are deleted, brought back and purged; versions that are kept or not; the relay of catalog.changes (issue 5).

-- deleted_at stays while an undelete brings the products back, so that a catalog is read whole or not at all.
alter table catalog add column delete_job uuid;
alter table catalog add column undelete_job uuid;
alter table catalog add column purged_at timestamptz;
-- A deleted default leaves its place to another.
drop index catalog_default;
create unique index catalog_default on catalog (brand_id) where is_default and deleted_at is null;
create index catalog_deleted on catalog (deleted_at) where deleted_at is not null and purged_at is null;

-- States of a publish: building, published, cancelling (its rows are being removed), cancelled, dropped (no longer kept).
drop index publish_building;
create unique index publish_building on publish (catalog_id) where state in ('building', 'cancelling');
-- Of a dropped version: the last product that was swept, and whether all were.
alter table publish add column swept_after uuid;
alter table publish add column swept_at timestamptz;
create index publish_to_sweep on publish (catalog_id, version) where state = 'dropped' and swept_at is null;

-- Primary: how far the relay has told catalog.changes of a catalog. Within a round, `product_id` is the last one told.
create table change_cursor (
  catalog_id uuid primary key,
  version bigint not null default 0,
  -- its readers have been told that it went
  gone boolean not null default false,
  -- the round under way, null between rounds: version, leaving, returning
  round text,
  product_id uuid
);
