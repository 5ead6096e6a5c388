-- Of an epoch on Kafka: the brokers' own id of products.bronze, which no other topic under that name has.
alter table log_epoch add column topic_id text;
