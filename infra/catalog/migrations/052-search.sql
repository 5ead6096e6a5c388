-- The index that search reads: segments of at most 32,768 published products each, immutable but for which of their products still
-- stand. A segment is seen by who reads a version from `born` on, while its place in `search_seq` lies between `since` and `until`:
-- merges and rebuilds swap segments without a version, and who goes on from a cursor keeps to those that it began with.
create sequence search_seq as int;

create table search_segment (
  segment_id int generated always as identity primary key,
  catalog_id uuid not null,
  workspace_id text not null,
  brand_id uuid not null,
  born bigint not null,
  -- null: not whole yet, or given up
  since int,
  until int,
  documents int not null,
  -- rows that short lists of postings share
  buckets int not null,
  -- products in each language
  languages jsonb not null,
  -- of the scores in it
  weights_number int not null,
  -- how far it came, for a build that goes on where it was cut off
  last_product uuid,
  made_at timestamptz not null default now(),
  ended_at timestamptz
);
create index search_segment_of on search_segment (catalog_id, born);
create index search_segment_ended on search_segment (ended_at) where ended_at is not null;

-- What is kept of each document beside its terms: transforms/search/segment-columns.ts.
create table search_column (
  segment_id int not null,
  name text not null,
  data bytea not null,
  primary key (segment_id, name)
);
alter table search_column alter data set storage external;

-- Where each term stands: transforms/search/postings.ts. Text has no place in it; a term is its hash.
create table search_posting (
  segment_id int not null,
  key bigint not null,
  data bytea not null,
  primary key (segment_id, key)
);
alter table search_posting alter data set storage external;

create table search_document (
  segment_id int not null,
  document int not null,
  catalog_id uuid not null,
  product_id uuid not null,
  -- the version from which on it is another or none
  ended_at bigint not null default 9223372036854775807,
  primary key (segment_id, document)
) with (fillfactor = 90);
create index search_document_of on search_document (catalog_id, product_id);
create index search_document_ended on search_document (catalog_id, ended_at) where ended_at < 9223372036854775807;

-- Words that products have, for typing errors and for what somebody begins to type. Whether any product still has one is asked of
-- the index. Keys: hashes of the word without one letter, with the catalog in them (transforms/search/spelling-keys.ts).
create table search_word (
  catalog_id uuid not null,
  word text collate "C" not null,
  shown text not null,
  n int not null,
  keys int[] not null,
  primary key (catalog_id, word)
) with (fillfactor = 80);
create index search_word_keys on search_word using gin (keys) with (fastupdate = off);

create table synonym (
  synonym_id uuid primary key default gen_random_uuid(),
  workspace_id text not null,
  brand_id uuid not null,
  -- null: whatever is searched in
  locale text,
  -- null: each means all the others
  term text,
  words text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text
);
create index synonym_of on synonym (brand_id, synonym_id);

-- What is typed, as the analyser writes it, and so found by one look-up however many synonyms there are.
create table synonym_key (
  brand_id uuid not null,
  key text collate "C" not null,
  synonym_id uuid not null references synonym on delete cascade,
  workspace_id text not null,
  primary key (brand_id, key, synonym_id)
);
create index synonym_key_of on synonym_key (synonym_id);

do $$
declare t text;
begin
  foreach t in array array['synonym', 'synonym_key'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy tenant on %I to assay_api using (workspace_id = (select assay_workspace())
                    and ((select assay_all_brands()) or brand_id = any ((select assay_brands())::uuid[])))', t);
    execute format('grant select, insert, update, delete on %I to assay_api', t);
  end loop;
end $$;

-- The only ways in for the API's role: each looks at who asks, and takes the brand. What is not theirs is not there.
create function search_segments(of_brand uuid, of_catalogs uuid[])
returns table (catalog_id uuid, version bigint, segment_id int, born bigint, since int, until int, documents int, buckets int, languages jsonb)
language sql stable security definer set search_path from current as $$
  select c.catalog_id, c.published_version, s.segment_id, s.born, s.since, s.until, s.documents, s.buckets, s.languages
    from catalog c
    left join search_segment s on s.catalog_id = c.catalog_id and s.since is not null and s.born <= c.published_version and s.documents > 0
   where c.workspace_id = assay_workspace() and c.brand_id = of_brand and (assay_all_brands() or of_brand = any (assay_brands()::uuid[]))
     and (of_catalogs is null or c.catalog_id = any (of_catalogs)) and c.deleted_at is null and c.published_version > 0
   order by c.catalog_id, s.segment_id
$$;

create function search_owned(of_brand uuid, of_segments int[]) returns setof int
language sql stable security definer set search_path from current as $$
  select s.segment_id from search_segment s
   where s.segment_id = any (of_segments) and s.brand_id = of_brand and s.workspace_id = assay_workspace()
     and (assay_all_brands() or of_brand = any (assay_brands()::uuid[]))
$$;

create function search_columns(of_brand uuid, of_segments int[], names text[])
returns table (segment_id int, name text, data bytea)
language sql stable security definer set search_path from current as $$
  select c.segment_id, c.name, c.data from search_owned(of_brand, of_segments) o join search_column c on c.segment_id = o and c.name = any (names)
$$;

create function search_postings(of_brand uuid, of_segments int[], keys bigint[])
returns table (segment_id int, key bigint, data bytea)
language sql stable security definer set search_path from current as $$
  select p.segment_id, p.key, p.data
    from unnest(of_segments, keys) as w (segment_id, key)
    join search_posting p on p.segment_id = w.segment_id and p.key = w.key
   where w.segment_id in (select search_owned(of_brand, of_segments))
$$;

create function search_gone(of_brand uuid, of_segments int[], after_version bigint, upto_version bigint)
returns table (segment_id int, document int)
language sql stable security definer set search_path from current as $$
  select d.segment_id, d.document
    from search_document d
   where d.catalog_id in (select s.catalog_id from search_owned(of_brand, of_segments) o join search_segment s on s.segment_id = o)
     and d.ended_at > after_version and d.ended_at <= upto_version and d.ended_at < 9223372036854775807 and d.segment_id = any (of_segments)
$$;

create function search_mine(of_brand uuid, of_catalogs uuid[]) returns setof uuid
language sql stable security definer set search_path from current as $$
  select c.catalog_id from catalog c
   where c.catalog_id = any (of_catalogs) and c.brand_id = of_brand and c.workspace_id = assay_workspace() and c.deleted_at is null
     and (assay_all_brands() or of_brand = any (assay_brands()::uuid[]))
$$;

create function search_spellings(of_brand uuid, of_catalogs uuid[], spelling_keys int[])
returns table (word text, shown text, n bigint)
language sql stable security definer set search_path from current as $$
  select w.word, min(w.shown), sum(w.n) from search_word w
   where w.keys && spelling_keys and w.catalog_id in (select search_mine(of_brand, of_catalogs))
   group by w.word order by 3 desc, 1 limit 500
$$;

create function search_completions(of_brand uuid, of_catalogs uuid[], prefix text, most int)
returns table (word text, shown text, n bigint)
language sql stable security definer set search_path from current as $$
  select w.word, min(w.shown), sum(w.n)
    from search_mine(of_brand, of_catalogs) m
    join search_word w on w.catalog_id = m and w.word >= prefix and w.word < prefix || U&'\+10FFFF'
   group by w.word order by 3 desc, 1 limit most
$$;

do $$
declare f text;
begin
  foreach f in array array['search_segments(uuid, uuid[])', 'search_owned(uuid, int[])', 'search_columns(uuid, int[], text[])',
                           'search_postings(uuid, int[], bigint[])', 'search_gone(uuid, int[], bigint, bigint)',
                           'search_mine(uuid, uuid[])', 'search_spellings(uuid, uuid[], int[])', 'search_completions(uuid, uuid[], text, int)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to assay_api', f);
  end loop;
end $$;
