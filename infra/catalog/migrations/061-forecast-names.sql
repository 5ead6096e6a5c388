-- Ids that rules of a workspace's own write in a forecast that runs: of products that come to one id the first alone goes out.
create table feed_forecast_name (
  catalog_id uuid not null,
  job_id uuid not null,
  -- 0: by the profile of now, 1: by the other
  side smallint not null,
  -- SHA-256 of the id
  name bytea not null,
  product_id uuid not null,
  primary key (catalog_id, job_id, side, name)
);
