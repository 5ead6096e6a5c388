-- Dead letters as people read and redrive them (issue 8): whose each is, of which kind, whether it counts by now, and every try.
alter table dead_record
  add column dead_id bigint generated always as identity,
  add column brand_id uuid,
  add column catalog_id uuid,
  add column import_id uuid,
  -- the log's key: of bronze the product
  add column key text,
  add column source text,
  -- by name in schemas/dead-letter.ts
  add column kind text not null default 'failed',
  add column state text not null default 'dead' check (state in ('dead', 'redriven')),
  add column redriven_at timestamptz,
  -- of a message on a tenant's topic: between which records it came, as {"epoch": e, "ends": [..]}: by partition the first offset after it
  add column place jsonb;
update dead_record
   set kind = case when reason like 'not JSON%' or reason = 'not a JSON object' then 'not_json'
                   when reason like 'unknown %' then 'unknown_version'
                   when reason like 'without a valid %' then 'invalid_record'
                   when reason like 'context %' then 'unknown_context'
                   when reason like 'the catalog cannot store%' then 'unstorable'
                   else 'failed' end;
create index dead_record_at on dead_record using brin (at);
create unique index dead_record_order on dead_record (dead_id);
create index dead_record_by_workspace on dead_record (workspace_id, dead_id);
create index dead_record_by_kind on dead_record (workspace_id, state, kind, dead_id);
create index dead_record_by_catalog on dead_record (catalog_id) where catalog_id is not null;

-- Kept as they were: the first is the death itself.
create table dead_attempt (
  epoch int not null,
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  attempt int not null,
  workspace_id text,
  brand_id uuid,
  catalog_id uuid,
  at timestamptz not null default now(),
  -- of a redrive
  job_id uuid,
  by text,
  -- what its record did: created, updated or unchanged; null where it stayed dead
  effect text,
  kind text,
  reason text,
  primary key (epoch, topic, partition, "offset", attempt)
);
create index dead_attempt_by_job on dead_attempt (job_id) where job_id is not null;
create index dead_attempt_by_catalog on dead_attempt (catalog_id) where catalog_id is not null;
insert into dead_attempt (epoch, topic, partition, "offset", attempt, workspace_id, at, kind, reason)
select epoch, topic, partition, "offset", 1, workspace_id, at, kind, reason from dead_record;

do $$
declare t text;
begin
  foreach t in array array['dead_record', 'dead_attempt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select on %I to assay_api', t);
  end loop;
end $$;
