-- Who has which partition, and who of them lives (infra/catalog/share-queries.ts).

alter table sink_position add column owner uuid;

-- Not logged: it is written every second, and after a crash of the server nobody is a member until it says so again.
create unlogged table consumer_member (
  consumer_group text not null,
  member uuid not null,
  joined_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (consumer_group, member)
);

-- A member's turn: it says that it lives, sees off who does not, and takes what it is short of. A function, so that it is one
-- statement: a process that is stopped in the middle of its turn holds no lock that another waits for. Those who wait for one
-- another do so at the first line. The names of a member's sessions end with its id: one whose sessions are gone was killed,
-- and those of one that is silent are ended, so that no transaction of it is left that holds a row or may still commit.
create function take_share(in_group text, in_epoch int, in_topic text, partitions int, me uuid, silent interval,
                           out share int, out held int[])
language plpgsql as $$
declare
  gone uuid;
  members int;
  place int;
  mine int;
begin
  perform pg_advisory_xact_lock(hashtextextended('share:' || in_group, 0));
  insert into consumer_member (consumer_group, member) values (in_group, me)
  on conflict (consumer_group, member) do update set seen_at = clock_timestamp();

  for gone in
    delete from consumer_member m
     where m.consumer_group = in_group and m.member <> me
       and (m.seen_at < clock_timestamp() - silent or not exists (
             select from pg_stat_activity a where a.datname = current_database() and right(a.application_name, 36) = m.member::text))
    returning m.member
  loop
    perform pg_terminate_backend(a.pid, 1000) from pg_stat_activity a
      where a.datname = current_database() and right(a.application_name, 36) = gone::text;
  end loop;

  select count(*), count(*) filter (where (m.joined_at, m.member) < (own.joined_at, own.member)) into members, place
    from consumer_member m
    join consumer_member own on own.consumer_group = m.consumer_group and own.member = me
   where m.consumer_group = in_group;
  share := partitions / members + case when place < partitions % members then 1 else 0 end;

  insert into sink_position (consumer_group, epoch, topic, partition, next_offset, owner_epoch)
  select in_group, in_epoch, in_topic, p, 0, 0 from generate_series(0, partitions - 1) p
   where not exists (select from sink_position s
                      where s.consumer_group = in_group and s.epoch = in_epoch and s.topic = in_topic and s.partition = p)
  on conflict do nothing;
  select count(*) into mine from sink_position s
   where s.consumer_group = in_group and s.epoch = in_epoch and s.topic = in_topic and s.owner = me;
  update sink_position s set owner = me, owner_epoch = s.owner_epoch + 1
   where s.consumer_group = in_group and s.epoch = in_epoch and s.topic = in_topic and s.partition in (
     select f.partition from sink_position f
      where f.consumer_group = in_group and f.epoch = in_epoch and f.topic = in_topic
        and not exists (select from consumer_member m where m.consumer_group = in_group and m.member = f.owner)
      order by f.partition limit greatest(share - mine, 0));
  held := array(select s.partition from sink_position s
                 where s.consumer_group = in_group and s.epoch = in_epoch and s.topic = in_topic and s.owner = me
                 order by s.partition);
end $$;
