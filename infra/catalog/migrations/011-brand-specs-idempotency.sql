-- What AI writes for a brand by, and answers that are kept for who asks again (issue 5).

create table brand_ai_spec (
  brand_id uuid primary key references brand,
  workspace_id text not null references workspace,
  -- the fields of schemas/brand.ts that are set
  spec jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table brand_ai_spec enable row level security;
create policy tenant on brand_ai_spec to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select, insert, update on brand_ai_spec to assay_api;

-- Answers to requests that named an Idempotency-Key, kept for 24 hours. No grant: the key is a hash over workspace, subject and
-- what the caller sent, and only the pipeline's role looks.
create table idempotency (
  key bytea primary key,
  -- hash of what was asked; null while a file is still being read
  request bytea,
  -- who runs it; another takes over when the lease is past
  holder uuid not null,
  lease_until timestamptz not null,
  -- null while it runs
  status smallint,
  headers jsonb,
  -- null for what is shown once
  body text,
  created_at timestamptz not null
);
create index idempotency_by_age on idempotency (created_at);
