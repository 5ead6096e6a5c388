-- Families whose parent one source tells and whose variants another (issue 7). Neither table is the API's.

-- Families that are looked after: their variants have what their parent has, by records of Assay's own.
create table joined_family (
  catalog_id uuid not null,
  family_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- a member has changed since it was looked at
  due boolean not null default false,
  -- the last variant that was looked at, where there are many
  after_id uuid,
  primary key (catalog_id, family_id)
);
create index joined_family_due on joined_family (catalog_id, family_id) where due;

-- Families of which a batch has written members; most of them are joined with nothing, and then nothing follows.
create table family_due (
  due_id bigint generated always as identity primary key,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  family_ids uuid[] not null
);
create index family_due_by_catalog on family_due (catalog_id, due_id);
