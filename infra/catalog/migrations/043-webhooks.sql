-- Webhooks: who is told of which events, what was sent to whom, and whose turn it is (issue 10).

-- In the order in which events are told; those of one catalog are written one after the other.
alter table outbox add column outbox_id bigint generated always as identity;
-- Of events of a feed: whose.
alter table outbox add column platform text;
alter table outbox add column catalog_id uuid;
-- The published version that it is about, as feeds show it.
alter table outbox add column position text;
-- Since then its deliveries stand in webhook_delivery. It stays a while, so that a cause that is met again tells nothing again.
alter table outbox add column told_at timestamptz;
create index outbox_untold on outbox (outbox_id) where told_at is null;
create index outbox_told on outbox (told_at) where told_at is not null;

create table webhook (
  webhook_id uuid primary key,
  workspace_id text not null references workspace,
  brand_id uuid not null references brand,
  -- null: events of the workspace
  platform text,
  url text not null,
  events text[] not null,
  state text not null default 'active' check (state in ('active', 'inactive')),
  -- of an inactive one: failed, gone (it answered 410) or paused by a person
  reason text,
  inactive_at timestamptz,
  rev int not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhook_by_brand on webhook (brand_id, platform);

-- Sealed under a key that is not in this database. One is in force, and a former one until its time.
create table webhook_secret (
  secret_id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  workspace_id text not null,
  brand_id uuid not null,
  key_id text not null,
  sealed bytea not null,
  -- null: in force
  until timestamptz,
  made_at timestamptz not null default now()
);
create unique index webhook_secret_in_force on webhook_secret (webhook_id) where until is null;
create index webhook_secret_by_webhook on webhook_secret (webhook_id);
create index webhook_secret_by_key on webhook_secret (key_id);

-- What is sent, byte for byte, however often and to however many.
create table webhook_event (
  event_id uuid primary key,
  workspace_id text not null,
  brand_id uuid not null,
  kind text not null,
  position text,
  body text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index webhook_event_by_age on webhook_event (created_at);

create table webhook_delivery (
  delivery_id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  workspace_id text not null,
  brand_id uuid not null,
  event_id uuid not null,
  -- counts the events of one webhook, without gap; null: a ping
  sequence bigint,
  -- missed: its webhook was inactive
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'missed')),
  -- since it was last begun anew, and all
  tries int not null default 0,
  attempts int not null default 0,
  next_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index webhook_delivery_sequence on webhook_delivery (webhook_id, sequence);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, sequence) where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (webhook_id, created_at, delivery_id);
create index webhook_delivery_by_age on webhook_delivery (created_at);

create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery on delete cascade,
  attempt int not null,
  workspace_id text not null,
  brand_id uuid not null,
  at timestamptz not null,
  ms int not null,
  -- what the receiver answered with; null where nothing came
  status int,
  -- why it failed
  code text,
  says text,
  request_headers jsonb not null,
  answer_headers jsonb,
  -- its first kilobyte
  answer text,
  primary key (delivery_id, attempt)
);

-- Whose turn it is: written by deliveries alone, so that no caller waits for them. No grant.
create table webhook_turn (
  webhook_id uuid primary key references webhook on delete cascade,
  -- the last that was given
  sequence bigint not null default 0,
  -- null: nothing waits
  next_at timestamptz,
  -- who has answered last time, who never has, and who has not
  lane text not null default 'new' check (lane in ('sound', 'new', 'failing')),
  claim uuid,
  claimed_until timestamptz
);
create index webhook_turn_due on webhook_turn (lane, next_at) where next_at is not null;

-- Publishes that somebody wants to know the feed of; written with the flip, gone with the event that tells it. No grant.
create table feed_untold (
  catalog_id uuid not null,
  version bigint not null,
  platform text not null,
  workspace_id text not null,
  brand_id uuid not null,
  primary key (catalog_id, platform, version)
);
-- What was last told of the bytes of a feed. No grant.
create table feed_told (
  catalog_id uuid not null,
  platform text not null,
  version bigint not null,
  sha256 text not null,
  primary key (catalog_id, platform)
);

do $$
declare t text;
begin
  foreach t in array array['webhook', 'webhook_secret', 'webhook_event', 'webhook_delivery', 'webhook_attempt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
  end loop;
  foreach t in array array['webhook', 'webhook_event', 'webhook_delivery', 'webhook_attempt'] loop
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
grant insert, update, delete on webhook to assay_api;
grant update (state, next_at, ended_at) on webhook_delivery to assay_api;
-- Who serves requests may put a secret in, and never read one.
grant insert on webhook_secret to assay_api;
grant select (secret_id, webhook_id, workspace_id, brand_id, until, made_at), update (until) on webhook_secret to assay_api;

-- Not every mail is about a job.
alter table mail alter column job_id drop not null;
