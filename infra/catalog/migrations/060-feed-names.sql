-- Ids that rules of a workspace's own write: two products may come to one, and then one of them alone goes out under it.
alter table feed_line add column name text;
create index feed_line_name on feed_line (config_id, name) where name is not null and valid_to = 9223372036854775807;

-- Lines that were made before have no name to be told apart by: those of profiles that write one are made anew.
update feed_config c set retired_at = now()
 where retired_at is null and exists (
   select from feed_profile p cross join lateral jsonb_array_elements(p.rules) r
    where p.workspace_id = c.workspace_id and p.name = c.platform and p.version = c.profile_version
      and (r ->> 'kind' in ('constant', 'template') and r ->> 'field' in ('id', 'item_id', 'sku', 'ITEM_ID')
        or r -> 'set' ->> 'field' in ('id', 'item_id', 'sku', 'ITEM_ID')));
