-- By which names events call a product of a snapshot that is being taken: one that an event names by its id and by its SKU was met once.
alter table visibility_build add column by_id boolean not null default false, add column sku text;
