-- The products that a bulk job means, fixed when it starts: its own edits neither widen nor narrow them. The rows go with the
-- job's end. The API's role has no grant.
create table bulk_item (
  job_id uuid not null,
  product_id uuid not null,
  primary key (job_id, product_id)
);
