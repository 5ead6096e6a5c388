-- How far a job that appends records has come: written in the transaction of the records, so that one cut off goes on exactly there.
alter table job add column cursor jsonb;
