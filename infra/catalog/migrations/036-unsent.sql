-- What a log apart from this database has not acknowledged yet, and the topics of tenants as they were met (issue 8). Both ungranted.

-- Records are committed here with all that must be true together with them, sent after that, and sent again after a crash: the same
-- bytes under the same numbers, by which the second copy is known. sender: a bulk job, or a partition of a tenant's topic.
create table unsent (
  sender uuid primary key,
  workspace_id text not null,
  brand_id uuid,
  -- of the next record that it makes
  next_number bigint not null default 0,
  -- zstd over JSON; null once all of it is on the log
  payload bytea,
  at timestamptz not null default now()
);

-- One that was deleted and made anew has other messages at the same offsets: it is another epoch of its name.
create table inbound_topic (
  topic text not null,
  epoch int not null,
  -- 'postgres', or the id that the brokers gave it
  place text not null,
  workspace_id text not null,
  primary key (topic, epoch),
  unique (topic, place)
);
insert into inbound_topic (topic, epoch, place, workspace_id)
select distinct topic, 0, 'postgres', substr(topic, 9) from sink_position where consumer_group = 'inbound';
