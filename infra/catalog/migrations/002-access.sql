-- Who may do what: members, API keys, policies, plans, the audit log, shared counters (issue 4).

alter table workspace add column plan text not null default 'free' check (plan in ('free', 'team', 'business'));
alter table workspace add column updated_at timestamptz not null default now();
alter table workspace add column deleted_at timestamptz;
alter table brand add column updated_at timestamptz not null default now();
alter table brand add column deleted_at timestamptz;
-- The name of a brand that is gone may be given again.
alter table brand drop constraint brand_workspace_id_name_key;
create unique index brand_by_name on brand (workspace_id, name) where deleted_at is null;

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
  primary key (workspace_id, subject),
  check (role <> 'owner' or all_brands)
);
create index member_by_subject on member (subject);

-- A workspace that has owners keeps one. The lock on the workspace makes two that leave at once follow one another.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform 1 from workspace where workspace_id = old.workspace_id for no key update;
  if not exists (select from member where workspace_id = old.workspace_id and role = 'owner') then
    raise exception 'the last owner of % cannot leave', old.workspace_id using errcode = 'AS001';
  end if;
  return null;
end $$;
create trigger lowered after update on member for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function keep_an_owner();
create trigger removed after delete on member for each row when (old.role = 'owner') execute function keep_an_owner();

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

-- A principal of some brands sees the members of those brands and of no other, and can make nobody see more.
alter table member enable row level security;
create policy tenant on member to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or (not all_brands and brand_ids <@ (select assay_brands()))));
grant select, insert, update, delete on member to assay_api;
-- Also who sees few of them must not exceed the plan.
create function assay_member_count() returns bigint language sql stable security definer set search_path from current
  as $$ select count(*) from member where workspace_id = assay_workspace() $$;
revoke all on function assay_member_count() from public;
grant execute on function assay_member_count() to assay_api;

alter table workspace_policy enable row level security;
create policy tenant on workspace_policy to assay_api using (workspace_id = (select assay_workspace()));
grant select, insert, update on workspace_policy to assay_api;

-- Nor the whole workspace's keys.
alter table api_key enable row level security;
create policy tenant on api_key to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select, insert, update on api_key to assay_api;

-- What they do stands in the audit log also where they may not read it.
alter table audit enable row level security;
create policy readers on audit for select to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
create policy writers on audit for insert to assay_api with check (workspace_id = (select assay_workspace()));
grant select, insert on audit to assay_api;

grant insert, update on brand to assay_api;
grant update on workspace to assay_api;
