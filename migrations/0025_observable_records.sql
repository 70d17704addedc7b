-- Observables exist once for all, but nobody may learn from one that others had it before, nor what they think of it. When and
-- by whom an observable came, and how malicious it is, is kept for each way in which it can be seen.

-- What a source has of an observable, up to a TLP colour: `vis` is eight times the number of the source plus the rank of the colour.
create table observable_records (
  observable integer not null references observables on delete cascade deferrable,
  vis integer not null,
  -- Null where the source says nothing.
  maliciousness text collate "C" check (maliciousness in ('safe', 'low', 'medium', 'high')),
  -- What else clients keep in `meta`; null where that is nothing.
  notes jsonb,
  created_at timestamptz not null default now(),
  created_by integer,
  last_updated_at timestamptz not null default now(),
  last_updated_by integer,
  primary key (observable, vis)
);

-- What was said of an observable so far was said to all who saw it: they keep it.
insert into observable_records (
  observable, vis, maliciousness, notes, created_at, created_by, last_updated_at, last_updated_by)
select o.id, s.number * 8, nullif(o.meta ->> 'maliciousness', 'unknown'), nullif(o.meta - 'maliciousness', '{}'), o.created_at,
  o.created_by, o.last_updated_at, o.last_updated_by
from observable_sources as l
join observables as o on o.id = l.source
join sources as s on s.id = l.target;

create index on observable_records (vis, observable);
create index on observable_records (created_at, observable);
create index on observable_records (maliciousness, observable) where maliciousness is not null;

drop table observable_sources;
create view observable_sources as
select distinct r.observable as source, s.id as target
from observable_records as r
join sources as s on s.number = r.vis >> 3;

-- An entity brings an observable into sight as well, and says how malicious it is in the name of its source.
alter table entity_observables
  add column maliciousness text collate "C" check (maliciousness in ('unknown', 'safe', 'low', 'medium', 'high')),
  add column created_at timestamptz not null default now(),
  add column created_by integer,
  add column rated_at timestamptz,
  add column rated_by integer;

update entity_observables as l
set maliciousness = nullif(o.meta ->> 'maliciousness', 'unknown'),
  created_at = greatest(e.created_at, o.created_at),
  created_by = case when e.created_at > o.created_at then e.created_by else o.created_by end,
  rated_at = case when o.last_updated_at > greatest(e.created_at, o.created_at) then o.last_updated_at end,
  rated_by = case when o.last_updated_at > greatest(e.created_at, o.created_at) then o.last_updated_by end
from entities as e, observables as o
where e.id = l.source and o.id = l.target;

create index on entity_observables (maliciousness, target) where maliciousness is not null;

-- Notes on observables that are only seen through entities are kept in a record under the key of each.
insert into observable_records (observable, vis, notes, created_at, created_by, last_updated_at, last_updated_by)
select distinct on (o.id, e.vis) o.id, e.vis, o.meta - 'maliciousness', l.created_at, l.created_by,
  coalesce(l.rated_at, l.created_at), coalesce(l.rated_by, l.created_by)
from observables as o
join entity_observables as l on l.target = o.id
join entities as e on e.id = l.source
where o.meta - 'maliciousness' <> '{}'
order by o.id, e.vis, l.created_at
on conflict do nothing;
create index on observable_records (observable) where notes is not null;

alter table observables
  drop column meta,
  drop column created_at,
  drop column created_by,
  drop column last_updated_at,
  drop column last_updated_by;

-- Changes of observables are told to those who hold a key of the record or entity that was written; earlier ones, of which that is
-- not known, to nobody.
update changes set keys = (select jsonb_agg('[[]]'::jsonb) from generate_series(1, cardinality(ids)))
where resource = 'observables' and keys is null;

-- The history shows an event of an observable to holders of its keys.
drop view history_events;
create view history_events as
select
  (lpad(to_hex(c.id), 16, '0') || lpad(to_hex(i.position), 16, '0'))::uuid as id,
  c.at,
  nullif(c.user_id, 0) as "user",
  case c.resource when 'settings' then 'configurations' else c.resource end as resource,
  case when c.kind in ('link', 'unlink') then 'update' else c.kind end as kind,
  i.object,
  c.id as change,
  i.position,
  c.ids,
  case when c.details is not null then coalesce(c.details -> i.object, '{}') end as details,
  c.keys -> (i.position::integer - 1) as keys
from changes as c
cross join lateral unnest(c.ids) with ordinality as i(object, position);
