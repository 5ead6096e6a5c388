-- Feeds as files: made when their schedule says so or somebody asks, held by the guard, kept, and sent to where the brand wants them.

-- null: the platform's own form
alter table feed_distribution add column file_format text;
alter table feed_distribution add column file_gzip boolean not null default false;
alter table feed_distribution add column kept_files int not null default 10;
-- When it is generated next; null: when somebody asks.
alter table feed_distribution add column next_at timestamptz;
create index feed_distribution_due on feed_distribution (next_at) where enabled and next_at is not null;

-- A whole file: while one is made there is no row of it.
create table feed_file (
  -- its name in the store, too
  file_id uuid primary key,
  job_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  catalog_id uuid not null,
  platform text not null,
  -- of which lines it was made
  config_id int not null,
  edition bigint not null,
  profile_version int not null,
  format text not null,
  gzip boolean not null,
  extension text not null,
  -- held: a person decides; refused: that person said no, and its bytes are gone
  state text not null default 'ready' check (state in ('ready', 'held', 'refused')),
  lines bigint not null,
  bytes bigint not null,
  sha256 text not null,
  -- of its lines as JSON, whatever the format
  lines_sha256 text not null,
  guard jsonb not null,
  made_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text
);
create index feed_file_newest on feed_file (catalog_id, platform, made_at, file_id);

-- Where files are sent to. What opens the door there is sealed under a key that is not in this database.
create table feed_target (
  target_id uuid primary key,
  workspace_id text not null references workspace,
  brand_id uuid not null references brand,
  platform text not null,
  kind text not null check (kind in ('sftp', 's3')),
  place jsonb not null,
  -- of an SFTP server, as ssh-keygen shows it; null: that of the first connection will be it
  host_key text,
  key_id text not null,
  sealed bytea not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index feed_target_by_brand on feed_target (brand_id, platform);
create index feed_target_by_key on feed_target (key_id);

create table feed_delivery (
  file_id uuid not null references feed_file on delete cascade,
  target_id uuid not null references feed_target on delete cascade,
  workspace_id text not null,
  brand_id uuid not null,
  -- overtaken: a later file goes there instead
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'overtaken')),
  tries int not null default 0,
  next_at timestamptz,
  ended_at timestamptz,
  ms int,
  -- where it came to lie
  remote text,
  -- why the last try failed
  code text,
  says text,
  primary key (file_id, target_id)
);
create index feed_delivery_due on feed_delivery (next_at) where next_at is not null;
create index feed_delivery_by_target on feed_delivery (target_id);

do $$
declare t text;
begin
  foreach t in array array['feed_file', 'feed_target', 'feed_delivery'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
  end loop;
end $$;
grant select on feed_file, feed_delivery to assay_api;
-- Who serves requests may put a secret in, and never read one.
grant insert, delete on feed_target to assay_api;
grant select (target_id, workspace_id, brand_id, platform, kind, place, host_key, created_by, created_at) on feed_target to assay_api;
