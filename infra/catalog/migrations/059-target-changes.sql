-- Where a feed's files are sent to can be changed, and its secret replaced, by those who may set it up (policy of 048).
grant update (place, host_key, key_id, sealed) on feed_target to assay_api;
