-- Keys of this installation, the same for all of its nodes; made by its first migration. No grant.
create table secret (
  name text primary key,
  value bytea not null
);
insert into secret (name, value)
values ('cursor', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
