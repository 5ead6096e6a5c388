-- Who made a product through the API; imports tell it of their own.
alter table products add column created_by text;
