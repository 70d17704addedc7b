-- What imports know of objects that came from elsewhere. Objects that were not born as STIX are created once, wherever that was, and each
-- of their versions has one time; `at` is the time of the version here that this is about.
create table entity_origins (
  source uuid primary key references entities (id) on delete cascade deferrable,
  created timestamptz,
  modified timestamptz,
  at timestamptz not null,
  -- The tags that the document brought: a later version of it may take them away.
  tags text[] not null default '{}'
);

create table relationship_origins (
  source uuid primary key references relationships (id) on delete cascade deferrable,
  created timestamptz,
  modified timestamptz,
  at timestamptz not null,
  tags text[] not null default '{}'
);
