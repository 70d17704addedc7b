-- Unified entities: one picture of a thing that several sources describe. They are entities of the source of a merge group, and only those see
-- them who also see every contributor.
alter table entities add column is_unified boolean not null default false;
create index entities_unified on entities (id) where is_unified;

-- Sets of keys that a reader must hold all of. With the source of the merge group and a colour, a set is a source of its own: it has a number from
-- the same sequence, so that `vis` stays one integer. What a number stands for never changes.
create table composites (
  number integer primary key default nextval(pg_get_serial_sequence('sources', 'number')),
  source integer not null references sources (number) on delete cascade deferrable,
  rank integer not null,
  -- The most restricted key of each source, in ascending order.
  keys integer[] not null,
  constraint composites_key unique (source, rank, keys)
);
create trigger forget after insert or delete on composites for each statement execute function forget_callers();

-- The source that a number in `vis` belongs to.
create view numbered_sources as
select number, id from sources
union all
select c.number, s.id from composites as c join sources as s on s.number = c.source;

create or replace view entity_sources as
select t.id as source, s.id as target
from entities as t
join numbered_sources as s on s.number = t.vis >> 3;

-- Which unified entity an entity contributes to. Contributors themselves are never changed.
create table contributors (
  entity uuid primary key,
  unified uuid not null references entities on delete cascade deferrable,
  -- Whether a person put it there.
  is_assigned boolean not null default false,
  since timestamptz not null default now()
);
create index on contributors (unified);

-- Entities that are joined only by a person.
create table consolidation_exemptions (
  entity uuid primary key,
  since timestamptz not null default now(),
  created_by integer references users on delete set null deferrable
);
create index on consolidation_exemptions (created_by);

-- The key of a unified entity with a colour in the source of a merge group, from the keys of its contributors.
create function composite_of(merge_source integer, colour integer, wanted integer[]) returns integer language plpgsql as $$
declare
  canonical integer[] := array(select max(k.key) from unnest(wanted) as k(key) group by k.key >> 3 order by 1);
  known integer;
begin
  select c.number into known from composites as c where c.source = merge_source and c.rank = colour and c.keys = canonical;
  if known is null then
    insert into composites (source, rank, keys) values (merge_source, colour, canonical)
    on conflict (source, rank, keys) do update set source = excluded.source
    returning number into known;
  end if;
  -- The key of the unified entity.
  return (known << 3) | colour;
end $$;

-- A contributor that becomes more restricted restricts its unified entity in the same transaction: at no moment does anyone see the
-- unified entity who may not see the contributor.
create function restrict_unified() returns trigger language plpgsql as $$
begin
  update entities as u
  set vis = composite_of(
    (select c.source from composites as c where c.number = u.vis >> 3), u.vis & 7,
    array(select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = u.id))
  where u.id = (select m.unified from contributors as m where m.entity = new.id) and u.is_unified;
  return null;
end $$;
create trigger restrict_unified after update of vis on entities for each row
  when (old.vis is distinct from new.vis and not new.is_unified) execute function restrict_unified();
