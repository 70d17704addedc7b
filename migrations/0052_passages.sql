-- Pieces of the texts of entities, in which the assistant looks for what answers a question.

create table passages (
  id bigint generated always as identity primary key,
  entity uuid not null,
  part integer not null,
  -- Who may see it: the key of the entity when the text was read.
  vis integer not null,
  -- Higher after each change, in the order of commits: what is embedded follows it.
  revision bigint not null,
  -- Of the heading and the text.
  hash bytea not null,
  -- The title and other names of the entity.
  heading text not null,
  text text not null,
  search tsvector not null generated always as (strip(to_tsvector('english', heading || ' ' || text))) stored,
  constraint passages_part unique (entity, part)
);
create index on passages using gin (search);
create index on passages (revision);
create sequence passage_revisions;

-- How far the passages are made of the entities that were there before, and what embedding them waits for.
create table passage_index (
  is_only boolean primary key default true check (is_only),
  -- Until AI is used, no passages are made.
  has_begun boolean not null default false,
  -- Entities up to this id have been read.
  reached uuid,
  is_complete boolean not null default false,
  -- The process that is embedding. A lease that was not renewed in time is free for others.
  claim uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text
);
insert into passage_index default values;

-- The vectors of one embedding model. Those of a new model are made next to those in use, and used when they are complete.
create table passage_spaces (
  id integer generated always as identity primary key,
  url text not null,
  model text not null,
  -- How many numbers a vector has; null until the first is known.
  width integer,
  is_current boolean not null default false,
  -- Passages up to this revision have their vectors,
  reached bigint not null default 0,
  -- unless they are more restricted than this rank.
  ceiling integer not null
);
create unique index on passage_spaces (is_current);

-- Signs of the numbers of a vector: a narrow table, because a search reads all that its reader sees. In this order of the columns, codes
-- begin at multiples of eight bytes, so that PostgreSQL counts their bits eight bytes at a time.
create table passage_codes (
  passage bigint not null references passages on delete cascade deferrable,
  space integer not null references passage_spaces on delete cascade deferrable,
  -- That of the passage.
  vis integer not null,
  code bit varying not null,
  primary key (space, passage)
);
create index on passage_codes (passage);

-- The numbers themselves, each as one byte.
create table passage_vectors (
  space integer not null references passage_spaces on delete cascade deferrable,
  passage bigint not null references passages on delete cascade deferrable,
  -- Of the passage that was embedded.
  hash bytea not null,
  vector bytea not null,
  primary key (space, passage)
);
create index on passage_vectors (passage);
alter table passage_vectors alter vector set storage external;
