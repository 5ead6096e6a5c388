-- Dashboards of a brand, and the widgets that they are made of (issue 9).

create table dashboard (
  dashboard_id uuid primary key,
  workspace_id text not null references workspace,
  brand_id uuid not null references brand,
  name text not null,
  is_default boolean not null default false,
  -- grows with each change of it, of its widgets and of their order
  rev int not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index dashboard_default on dashboard (brand_id) where is_default;
create index dashboard_by_brand on dashboard (brand_id, dashboard_id);
alter table dashboard enable row level security;
create policy tenant on dashboard to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select, insert, update, delete on dashboard to assay_api;

create table widget (
  widget_id uuid primary key,
  dashboard_id uuid not null references dashboard on delete cascade,
  workspace_id text not null references workspace,
  brand_id uuid not null references brand,
  title text not null,
  -- as schemas/widget.ts has it; its type stands in it
  definition jsonb not null,
  -- who comes first; places may have gaps
  place int not null,
  rev int not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index widget_by_dashboard on widget (dashboard_id, place, widget_id);
alter table widget enable row level security;
create policy tenant on widget to assay_api using (workspace_id = (select assay_workspace())
  and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])));
grant select, insert, update, delete on widget to assay_api;
