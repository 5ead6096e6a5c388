-- The backups that this database was restored from (issue 8). Of the installation, as secret is; no grant.
create table restored (
  backup_id uuid not null,
  taken_at timestamptz not null,
  restored_at timestamptz not null default now(),
  -- when the jobs that were under way stood in the queue again, which is in no backup; null until a process with the role jobs started
  queued_at timestamptz,
  primary key (backup_id, restored_at)
);
