-- The key that customers of events are looked up by, and for each the salt of the name under which events know them (DESIGN 5.11):
-- without its salt nobody can tell any more whose events those were, in the log, the archive and the tables alike. No grants.
insert into secret (name, value)
values ('customers', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

create table customer_salt (
  workspace_id text not null references workspace on delete cascade,
  lookup bytea not null,
  salt bytea not null,
  primary key (workspace_id, lookup)
);

-- The event store that the positions of the group `events` are about. No grants.
create table event_store (
  one boolean primary key default true check (one),
  id uuid not null
);
