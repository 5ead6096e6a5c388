-- Ways in: files that are looked at before they are imported, and files that come in numbered parts (issue 6).

-- A file that was previewed, kept for a bounded time so that it can be imported without being sent again.
create table preview (
  preview_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  job_id uuid not null,
  source text not null,
  file_name text not null,
  spool text not null,
  bytes bigint not null,
  sha256 text not null,
  options jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  -- that imports the file: who asks again is answered with the same
  import_job_id uuid
);
create unique index preview_by_job on preview (job_id);
create index preview_by_age on preview (created_at);
create index preview_by_workspace on preview (workspace_id) where import_job_id is null;

create table upload (
  upload_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  file_name text not null,
  -- of the whole file, where the caller knew them when it began
  size bigint,
  sha256 text,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- when it was begun or had its last part
  touched_at timestamptz not null default now(),
  -- that imports the file; set with `ended_at`, or null where the upload was given up
  job_id uuid,
  ended_at timestamptz,
  -- the files of its parts are gone
  cleared_at timestamptz
);
create index upload_by_age on upload (touched_at) where ended_at is null;
create index upload_uncleared on upload (ended_at) where ended_at is not null and cleared_at is null;
create index upload_same on upload (workspace_id, created_by, sha256) where ended_at is null;

create table upload_part (
  upload_id uuid not null,
  part int not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- in the upload's folder; another for each time that the part was sent
  file text not null,
  bytes bigint not null,
  sha256 text not null,
  primary key (upload_id, part)
);
create index upload_part_by_workspace on upload_part (workspace_id);

do $$
declare t text;
begin
  foreach t in array array['preview', 'upload', 'upload_part'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
