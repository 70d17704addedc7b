-- Which entities refer in their data to one that is only a placeholder: with the last reference it goes.
create table awaited_entities (
  entity uuid not null,
  stix_id text collate "C" not null,
  primary key (entity, stix_id)
);
create index on awaited_entities (stix_id);

-- Whether another file speaks of a relationship.
create index on file_outcomes (relationship) where relationship is not null;

insert into awaited_entities (entity, stix_id)
select distinct t.id, p.stix_id
from entities as t
cross join lateral jsonb_path_query(t.data, '$.** ? (@.type() == "string")') as v(text)
join entities as p on p.stix_id = v.text #>> '{}' and p.is_unresolved and p.id <> t.id
where exists (select from entities where is_unresolved);

-- Placeholders that nothing refers to any more were left behind until now.
delete from entities as t
where t.is_unresolved
  and not exists (select from awaited_entities as a where a.stix_id = t.stix_id)
  and not exists (select from relationships as r where r.source = t.id)
  and not exists (select from relationships as r where r.target = t.id)
  and not exists (select from dataset_entities as l where l.target = t.id)
  and not exists (select from ticket_entities as l where l.target = t.id)
  and not exists (select from workspace_entities as l where l.target = t.id);
