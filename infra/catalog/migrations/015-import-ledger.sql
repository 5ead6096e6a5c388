-- The ledger of imports over HTTP: held ones are decided on, completed ones taken out and back in, snapshots count what they end.
alter table import_outcome add column removed bigint not null default 0;
-- Someone let it go on beyond the guard.
alter table import add column released_at timestamptz;
-- The last product that a snapshot has withdrawn, in order of ids: where it goes on after a kill.
alter table import add column withdrawn_to uuid;
-- Taken out of the catalog; null again after redo.
alter table import add column undone_at timestamptz;
-- The undo or redo that is under way; one at a time.
alter table import add column change_job uuid;
-- The file as it was sent is kept no longer.
alter table import add column file_gone_at timestamptz;
create index import_by_workspace on import (workspace_id, created_at, import_id);
create index import_by_file on import (spool) where file_gone_at is null;
-- What was looked ahead so far held nothing, and lacks what the guard goes by.
update import set guard = null where guard is not null;
