-- The archive's manifest: which offsets of the log stand in which Parquet file. Ungranted, as the log itself is: its files
-- hold records of all tenants.
create table log_archive (
  epoch int not null,
  topic text not null,
  partition int not null,
  from_offset bigint not null,
  -- one past the last
  to_offset bigint not null default 0,
  -- below the archive's folder
  path text not null,
  -- UTC; the day of its first record whose time is known
  day date,
  records bigint,
  -- of the values, before they are packed
  value_bytes bigint,
  file_bytes bigint,
  sha256 text,
  -- null while it is being written: it does not count, and the next round removes what is there of it
  kept_at timestamptz,
  primary key (epoch, topic, partition, from_offset)
);

-- From then on readers leave a segment to the archive; it is dropped when those who began before have ended.
alter table log_segment add column retired_at timestamptz;
