-- Products that a search found, a tool returned or a list showed, beside the one that an event is about.
alter table events add column if not exists product_ids Array(String) after product_id;
