-- Of each workspace, up to when events were removed, and when that was last said: what was received by then and is older is not brought
-- back by a log that still has it, however long events are kept later. It only grows. No grants.
alter table workspace add column events_gone_before timestamptz, add column events_gone_at timestamptz;

-- By which the names of snapshots of events are made: they say nothing of how many events all tenants have. No grants.
insert into secret (name, value)
values ('snapshots', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
