-- Moving the log to another engine or number of partitions (DESIGN 5.7): what each epoch holds, and how its end is fenced.

-- By topic, offsets by partition: the first that is this epoch's (0 where nothing is said), and of a closed epoch its end.
alter table log_epoch add column begins jsonb not null default '{}';
alter table log_epoch add column ends jsonb;

-- Appends hold it shared until they commit: who closes the epoch waits for them, and none comes after it. Each statement in here
-- sees what was committed while it waited.
create function log_hold(of_epoch int) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1634956409, 33);
  return exists (select from log_epoch where epoch = of_epoch and closed_at is null);
end $$;

-- Offsets of two epochs may be the same: what a merge saw of its target is told apart by both.
alter table merge_item add column target_epoch int;
