-- Who may do what: members, API keys, policies, plans, the audit log, shared counters (issue 4).

alter table workspace add column plan text not null default 'free';
alter table workspace add column deleted_at timestamptz;
alter table brand add column deleted_at timestamptz;

-- A person or a machine of an identity provider, by the subject of its tokens. Pinned to brands unless all_brands.
create table member (
  workspace_id text not null references workspace,
  subject text not null,
  email text,
  name text,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  all_brands boolean not null default false,
  brand_ids uuid[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, subject)
);
create index member_by_subject on member (subject);

-- Only the hash of a key is kept; it is found by its prefix, which is no secret.
create table api_key (
  key_id uuid primary key,
  workspace_id text not null references workspace,
  -- null: the whole workspace
  brand_id uuid references brand,
  name text not null,
  prefix text not null unique,
  secret_hash bytea not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- the key that replaces it; until expires_at both work
  rotated_to uuid
);
create index api_key_by_workspace on api_key (workspace_id, key_id);

create table workspace_policy (
  workspace_id text primary key references workspace,
  -- CIDR texts; empty: from everywhere
  ip_allow text[] not null default '{}',
  -- age of a token at which it is no longer taken; null: as long as it lives
  session_minutes int check (session_minutes between 1 and 525600),
  require_second_factor boolean not null default false,
  updated_by text,
  updated_at timestamptz not null default now()
);

create table audit (
  audit_id uuid primary key,
  workspace_id text not null,
  brand_id uuid,
  at timestamptz not null default now(),
  subject text not null,
  action text not null,
  target text not null,
  request_id text not null,
  before jsonb,
  after jsonb
);
create index audit_by_workspace on audit (workspace_id, at desc, audit_id desc);

-- Counters of fixed windows, shared where several nodes serve one database.
create unlogged table rate_counter (
  key text primary key,
  window_start timestamptz not null,
  hits int not null
);

do $$
declare t text;
begin
  foreach t in array array['member', 'workspace_policy'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace()))', t);
    execute format('grant select, insert, update, delete on %I to assay_api', t);
  end loop;
  -- A principal of some brands sees neither the whole workspace's keys nor its audit rows.
  foreach t in array array['api_key', 'audit'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                      and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
  end loop;
  grant select, insert, update on api_key to assay_api;
  grant select, insert on audit to assay_api;
  grant insert, update on brand, workspace to assay_api;
end $$;
