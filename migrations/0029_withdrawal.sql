-- What senders take back.

-- Whether whoever published an entity has withdrawn it: STIX calls that revoked.
alter table entities add column is_withdrawn boolean not null default false;
update entities set is_withdrawn = true where data -> 'revoked' = 'true'::jsonb;
create index entities_withdrawn on entities (created_at, id) where is_withdrawn;

alter table incoming_feeds
  -- What one transfer has: everything, what is new and changed, or what came and went.
  add column update_strategy text collate "C" not null default 'APPEND'
    check (update_strategy in ('REPLACE', 'APPEND', 'DIFF')),
  -- What becomes of entities that the sender withdrew.
  add column withdrawn text collate "C" not null default 'mark' check (withdrawn in ('keep', 'mark', 'delete')),
  -- The latest walk through a collection that came to its end, and the latest whose absences were settled.
  add column whole_transfer bigint,
  add column settled_transfer bigint;

-- Whether it has everything that its feed has, so that what is not in it is gone.
alter table incoming_blobs add column is_whole boolean not null default false;

-- What each feed has written of an entity, so that it can take that away again and nothing else: what analysts and other feeds
-- added stays. `transfer` is the latest one that had it.
create table feed_entities (
  feed integer not null references incoming_feeds on delete cascade deferrable,
  entity uuid not null,
  transfer bigint not null,
  tags text[] not null default '{}',
  attacks text[] not null default '{}',
  taxonomies integer[] not null default '{}',
  attachments uuid[] not null default '{}',
  -- Observables that its document names, and those that only a relationship of their own joins to it.
  observables integer[] not null default '{}',
  attached integer[] not null default '{}',
  primary key (feed, entity)
);
create index on feed_entities (entity);
create index on feed_entities (feed, transfer);

create table feed_relationships (
  feed integer not null references incoming_feeds on delete cascade deferrable,
  relationship uuid not null,
  transfer bigint not null,
  -- The entity whose document holds it; null where it is an object of its own.
  holder uuid,
  primary key (feed, relationship)
);
create index on feed_relationships (feed, transfer);
create index on feed_relationships (feed, holder) where holder is not null;

-- Observables that belong to no entity of their feed.
create table feed_observables (
  feed integer not null references incoming_feeds on delete cascade deferrable,
  observable integer not null,
  transfer bigint not null,
  primary key (feed, observable)
);
create index on feed_observables (feed, transfer);

-- What feeds have brought so far. Which parts of an entity they wrote is found out when it comes the next time.
insert into feed_entities (feed, entity, transfer)
select f.id, e.id, 0
from incoming_feeds as f
join sources as s on s.id = f.source
join entities as e on e.vis between s.number * 8 and s.number * 8 + 7
where e.created_by is null and not e.is_unresolved;
insert into feed_relationships (feed, relationship, transfer)
select f.id, r.id, 0
from incoming_feeds as f
join sources as s on s.id = f.source
join relationships as r on r.home = s.number
where r.created_by is null;
insert into feed_observables (feed, observable, transfer)
select f.id, l.source, 0
from incoming_feeds as f
join observable_sources as l on l.target = f.source;
