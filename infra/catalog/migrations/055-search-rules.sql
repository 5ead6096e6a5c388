-- What a brand has told search, synonyms and rules, in editions: each write is the brand's next. A row holds from the edition `since` on
-- and before `until`; what was replaced stays while somebody may go on from a page that was read with it.
create table search_edition (
  brand_id uuid primary key,
  workspace_id text not null,
  edition bigint not null
);

alter table synonym_key drop constraint synonym_key_synonym_id_fkey, drop constraint synonym_key_pkey, add column since bigint not null default 0;
alter table synonym drop constraint synonym_pkey, add column since bigint not null default 0, add column until bigint, add column ended_at timestamptz;
drop index synonym_of;
drop index synonym_key_of;
alter table synonym alter column synonym_id drop default, alter column since drop default, add primary key (brand_id, synonym_id, since);
alter table synonym_key alter column since drop default, add primary key (brand_id, key, synonym_id, since),
  add foreign key (brand_id, synonym_id, since) references synonym on delete cascade;
create index synonym_key_of on synonym_key (brand_id, synonym_id, since);
create index synonym_ended on synonym (ended_at) where ended_at is not null;
insert into search_edition (brand_id, workspace_id, edition) select brand_id, min(workspace_id), 0 from synonym group by brand_id;

create table search_rule (
  brand_id uuid not null,
  rule_id uuid not null,
  since bigint not null,
  until bigint,
  ended_at timestamptz,
  workspace_id text not null,
  name text,
  -- null: all of the brand's
  catalog_id uuid,
  -- null: whatever is searched in
  locale text,
  enabled boolean not null,
  -- the greater counts first
  priority int not null,
  starts_at timestamptz,
  ends_at timestamptz,
  -- schemas/search-rule.ts
  content jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  updated_by text,
  primary key (brand_id, rule_id, since)
);
create index search_rule_ended on search_rule (ended_at) where ended_at is not null;
create index search_rule_by_catalog on search_rule (catalog_id) where catalog_id is not null;

-- When a rule holds, so that it is found by one look-up however many there are: transforms/search/rule-keys.ts.
create table search_rule_key (
  brand_id uuid not null,
  key text collate "C" not null,
  rule_id uuid not null,
  since bigint not null,
  workspace_id text not null,
  primary key (brand_id, key, rule_id, since),
  foreign key (brand_id, rule_id, since) references search_rule on delete cascade
);
create index search_rule_key_of on search_rule_key (brand_id, rule_id, since);

do $$
declare t text;
begin
  foreach t in array array['search_edition', 'search_rule', 'search_rule_key'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select, insert, update, delete on %I to assay_api', t);
  end loop;
end $$;
