/** What a version wrote beside the rows that it ended, as SQL: `$1` the catalog, `$2` the version, `$3` the product that it begins behind. */

/** What became of a product; null: written, and as it was. */
export const writtenChange = `
  case when n.content is not null and o.content is null then 'added'
       when n.content is null and o.content is not null then 'removed'
       when n.content is not null and n.hash <> o.hash then 'modified' end`

/** A row that the version wrote as n, and as o the one that it ended, each by its key, whatever statistics say. */
export const written = `
    from published n
    left join lateral (
      select hash, content from published
       where catalog_id = $1 and product_id = n.product_id and valid_from + 0 < $2 and valid_to = $2 limit 1) o on true
   where n.catalog_id = $1 and n.valid_from = $2 and ($3::uuid is null or n.product_id > $3)`
