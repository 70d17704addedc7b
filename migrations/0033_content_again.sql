-- The transfer that the outcomes of a blob's file are about. Content that comes again has another one, and is read from its beginning,
-- also by the run that has processed it before.
alter table incoming_blobs add column begun_transfer bigint;

-- Whether an entity was ever marked as withdrawn without a version of its own that says so. Consumers of STIX hold a revoked version of it
-- then, and every later one has to be newer than that.
alter table entities add column was_withdrawn boolean not null default false;
update entities set was_withdrawn = true where is_withdrawn and data -> 'revoked' is distinct from 'true'::jsonb;

-- The transfer that took an entity away from a feed that deletes such entities, and when: it may be back in the next one.
alter table feed_entities add column gone_transfer bigint, add column gone_at timestamptz;
create index on feed_entities (feed, gone_transfer) where gone_transfer is not null;
