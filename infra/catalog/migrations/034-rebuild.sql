-- Rebuilding a catalog from the log: the products that a job has yet to look at (issue 8). Ungranted: only jobs read it.
create table rebuild_item (
  job_id uuid not null,
  product_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  primary key (job_id, product_id)
);
