-- What comes again to incoming feeds, and what their transports know of it.

alter table incoming_blobs
  -- What its bytes do not tell: of an article, which one it is, where it stands and when it was published.
  add column about jsonb,
  -- In which order things came: the same content that comes again has a later place. Pages of one walk share theirs.
  add column transfer bigint;
update incoming_blobs set transfer = id;
create sequence feed_transfers as bigint owned by incoming_blobs.transfer;
select setval('feed_transfers', coalesce(max(transfer), 0) + 1, false) from incoming_blobs;
alter table incoming_blobs
  alter transfer set default nextval('feed_transfers'),
  alter transfer set not null;
create index on incoming_blobs (feed, transfer);
create index on incoming_blobs (feed, transfer) where state = 'PENDING';
