-- How many products of a segment have each of its words, some thousands of words a row: a word goes with the last segment that has it.
create table search_segment_word (
  segment_id int not null,
  part int not null,
  words text[] not null,
  counts int[] not null,
  primary key (segment_id, part)
);

-- What segments of before had is not known. Each catalog's index is made anew once, beside the one that is read, and words that it
-- does not have go then.
update search_word set n = 0;
update search_segment set until = 0, ended_at = '-infinity' where since is null and until is null;
update search_segment set weights_number = -1 where until is null;
