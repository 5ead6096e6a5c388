-- How long a workspace keeps its events, in days; null: as long as others do (schemas/retention.ts).
alter table workspace add column event_days int check (event_days > 0);
create index workspace_event_days on workspace (workspace_id) where event_days is not null;
