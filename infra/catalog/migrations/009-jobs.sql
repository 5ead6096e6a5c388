-- Jobs keep to their states, are cancelled, and tell who started them; media jobs (issue 5).

-- The moves stand in schemas/job.ts and schemas/media-job.ts too; a test walks all pairs.
create function keep_to_moves() returns trigger language plpgsql as $$
begin
  if not (old.status || ' ' || new.status) = any (tg_argv) then
    raise exception 'a job that is % does not become %', old.status, new.status using errcode = 'AS002';
  end if;
  return new;
end $$;

alter table job add constraint job_status check (status in ('queued', 'active', 'completed', 'failed'));
create trigger moves before update of status on job for each row when (old.status <> new.status)
  execute function keep_to_moves('queued active', 'queued failed', 'active completed', 'active failed');
-- Who runs it stops, takes back what must not stay, and ends it.
alter table job add column cancel_asked_at timestamptz;
create index job_cancelling on job (job_id) where cancel_asked_at is not null and status = 'active';
-- Whether its end is told by mail, and where to; asked and no address: nobody knows one.
alter table job add column notify_email boolean not null default false;
alter table job add column notify_to text;

create table media_job (
  media_job_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  product_id uuid,
  kind text not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  input jsonb not null,
  -- that were used; null until they are known
  provider text,
  model text,
  result jsonb,
  error jsonb,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index media_job_by_workspace on media_job (workspace_id, created_at, media_job_id);
create trigger moves before update of status on media_job for each row when (old.status <> new.status)
  execute function keep_to_moves('pending processing', 'pending cancelled', 'processing completed', 'processing failed',
                                 'processing cancelled');

-- Written in the transaction that ends the job. `seq` orders those of one recipient.
create sequence notification_seq;
create table notification (
  notification_id uuid primary key default gen_random_uuid(),
  seq bigint not null,
  workspace_id text not null,
  brand_id uuid not null,
  -- who started it; nobody else sees it
  subject text not null,
  kind text not null,
  job_id uuid,
  title text not null,
  says text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notification_by_subject on notification (workspace_id, subject, seq);
create index notification_unread on notification (workspace_id, subject, seq) where read_at is null;
create index notification_by_age on notification (created_at);
-- Two that end at once are numbered one after the other's commit, so a reader who goes on from a number misses none.
create function number_notification() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('notification:' || new.workspace_id || ' ' || new.subject, 0));
  new.seq := nextval('notification_seq');
  return new;
end $$;
create trigger numbered before insert on notification for each row execute function number_notification();

-- What is to be sent, at least once, each under its own Message-ID.
create table mail (
  mail_id uuid primary key default gen_random_uuid(),
  workspace_id text not null,
  job_id uuid not null,
  recipient text not null,
  subject text not null,
  body text not null,
  -- waiting, sent, failed
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mail_waiting on mail (next_at) where state = 'waiting';

do $$
declare t text;
begin
  foreach t in array array['media_job', 'notification'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
grant update (status, finished_at) on media_job to assay_api;
grant update (read_at) on notification to assay_api;
