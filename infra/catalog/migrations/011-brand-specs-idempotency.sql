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
