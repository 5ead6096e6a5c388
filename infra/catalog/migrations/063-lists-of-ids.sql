-- Lists of ids of products that wait. Nobody asks for what is in them, yet each look at one for statistics took 0.4 s of an import's CPU, once
-- a minute; and ids, which have no pattern, were packed in vain.
alter table dirty alter column product_ids set statistics 0, alter column product_ids set storage external;
alter table rank_due alter column product_ids set statistics 0, alter column product_ids set storage external;
alter table duplicate_due alter column product_ids set statistics 0, alter column product_ids set storage external;
