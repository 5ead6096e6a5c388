-- When anyone last called the API of any node, so that work which can wait gives way (infra/system/others.ts). Not logged: it is written
-- while people call, and after a crash of the server nobody does until they call again.
create unlogged table last_call (
  only_row boolean primary key default true check (only_row),
  called_at timestamptz not null default clock_timestamp()
);
