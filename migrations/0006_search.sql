-- Lower case for comparison, in the letters of all languages: columns that are sorted by bytes would know those of English alone.
create function folded(value text) returns text language sql immutable parallel safe
return replace(lower(replace(value, 'İ', 'i̇') collate "default"), 'ς', 'σ');

-- The values at a place in a document. Lists are looked into, however deep they lie in each other.
create function values_at(document jsonb, path text[]) returns setof jsonb language sql immutable parallel safe
begin atomic
  with recursive walk (value, rest) as (
    select document, path
    union all
    select n.value, n.rest
    from walk as w cross join lateral (
      select e.value, w.rest
      from jsonb_array_elements(case jsonb_typeof(w.value) when 'array' then w.value else '[]' end) as e(value)
      union all
      select w.value -> w.rest[1], w.rest[2:]
      where jsonb_typeof(w.value) = 'object' and w.value ? w.rest[1]
    ) as n(value, rest)
  )
  select w.value from walk as w
  where cardinality(w.rest) = 0 and jsonb_typeof(w.value) not in ('array', 'object', 'null') and w.value <> '""';
end;

-- The moment that an ISO date or time stands for; null for any other text.
create function moment_of(value text) returns timestamptz language plpgsql immutable parallel safe as $$
begin
  if value !~* '^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$' then
    return null;
  end if;
  return case when value ~* '(Z|T.*[+-]\d{2}:?\d{2}| .*[+-]\d{2}:?\d{2})$' then value::timestamptz else (value || 'Z')::timestamptz end;
exception when others then
  return null;
end $$;

-- Whether two texts differ by at most so many edits; swapping two neighbours is one.
create function is_within(edits integer, one text, other text) returns boolean language plpgsql immutable strict parallel safe as $$
declare
  m integer := length(one);
  n integer := length(other);
  before_last integer[];
  last integer[] := array(select generate_series(0, n));
  this integer[];
  cost integer;
begin
  if abs(m - n) > edits or m > 255 or n > 255 then return false; end if;
  -- To this function two swapped neighbours are two edits; it is far faster than what follows.
  if levenshtein_less_equal(one, other, 2 * edits) > 2 * edits then return false; end if;
  for i in 1..m loop
    this := array[i];
    for j in 1..n loop
      cost := least(last[j + 1] + 1, this[j] + 1, last[j] + (substr(one, i, 1) <> substr(other, j, 1))::integer);
      if i > 1 and j > 1 and substr(one, i, 1) = substr(other, j - 1, 1) and substr(one, i - 1, 1) = substr(other, j, 1) then
        cost := least(cost, before_last[j - 1] + 1);
      end if;
      this := this || cost;
    end loop;
    before_last := last;
    last := this;
  end loop;
  return last[n + 1] <= edits;
end $$;

create index observables_folded on observables (observable_key(folded(value)) collate "C");

-- Tags stand in the dictionary too, so that parts of them are found like parts of words.
insert into words (word)
select distinct 'g' || chr(31) || left(folded(g.tag), 200) from entities as e cross join unnest(e.tags) as g(tag)
on conflict do nothing;

-- Whether lexemes stand near each other in this order: each moved from its place by so much that all moves are within the slop.
create function stand_near(vector tsvector, lexemes text[], slop integer) returns boolean language plpgsql immutable strict parallel safe as $$
declare
  places jsonb := (
    select jsonb_agg(coalesce((select to_jsonb(v.positions) from unnest(vector) as v where v.lexeme = l.lexeme), '[]') order by l.i)
    from unnest(lexemes) with ordinality as l(lexeme, i));
  first integer;
  place integer;
  taken integer[];
begin
  for first in
    select distinct p.place::integer - i
    from generate_series(1, cardinality(lexemes)) as i cross join jsonb_array_elements_text(places -> (i - 1)) as p(place)
    order by 1
  loop
    taken := '{}';
    for i in 1..cardinality(lexemes) loop
      place := (
        select min(p.place::integer) from jsonb_array_elements_text(places -> (i - 1)) as p(place)
        where p.place::integer - i between first and first + slop and p.place::integer <> all (taken));
      exit when place is null;
      taken := taken || place;
    end loop;
    if cardinality(taken) = cardinality(lexemes) then return true; end if;
  end loop;
  return false;
end $$;

-- To the planner, looking into a search vector costs as much as comparing two numbers; it has to be fetched from beside the row.
-- Whoever does not own the database's functions may not say so, and has to do with slower plans.
do $$ begin
  alter function pg_catalog.ts_match_vq(tsvector, tsquery) cost 60;
exception when insufficient_privilege then
  null;
end $$;
