-- The transfer that the outcomes of a blob's file are about. Content that comes again has another one, and is read from its beginning,
-- also by the run that has processed it before.
alter table incoming_blobs add column begun_transfer bigint;
