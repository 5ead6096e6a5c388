-- What checks found of the images that a catalog's products name (issue 7): one row an address, whichever products have it.
create table image_check (
  catalog_id uuid not null,
  -- the first 16 bytes of the SHA-256 of the address, which may be longer than an index takes
  address_hash bytea not null,
  workspace_id text not null,
  brand_id uuid not null,
  address text not null,
  host text not null,
  -- one of the products that have it
  product_id uuid not null,
  -- null: not checked yet
  state text check (state in ('ok', 'too_small', 'not_an_image', 'too_large', 'dead', 'unreachable')),
  says text,
  -- of HTTP, where that was not an image
  status int,
  -- by the first bytes
  type text,
  width int,
  height int,
  bytes bigint,
  -- a difference hash of 64 bits, of which at most three differ where two files show the same picture
  looks bytea,
  -- the looks that stand for all files of that picture, as the last job has seen it
  alike bytea,
  -- by which the host tells whether the file is still the same
  etag text,
  last_modified text,
  checked_at timestamptz,
  -- last met in the catalog; not moved at every run
  seen_at timestamptz not null,
  -- the job that is to fetch it
  wanted_by uuid,
  primary key (catalog_id, address_hash)
);
create index image_check_wanted on image_check (wanted_by, host, address_hash) where wanted_by is not null;
create index image_check_by_state on image_check (catalog_id, state, address_hash) where state is not null;
create index image_check_alike on image_check (catalog_id, alike, address_hash) where alike is not null;
-- What another catalog of the brand knows already, such as the one that this was forked from.
create index image_check_by_address on image_check (workspace_id, address_hash);

alter table image_check enable row level security;
create policy tenant on image_check to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select on image_check to assay_api;
