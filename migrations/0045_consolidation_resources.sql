-- What the resources of consolidation need in addition to its tables.

-- Runs are started by users and by changes; tasks of all owners have this column.
alter table consolidation_rules add column execution_schedule jsonb;

-- A source that a configuration names cannot be deleted: without its last source, a configuration would cover all of them.
alter table consolidation_configurations
  drop constraint consolidation_configurations_preferred_source_fkey,
  add constraint consolidation_configurations_preferred_source_fkey foreign key (preferred_source) references sources deferrable;
alter table consolidation_configuration_sources
  drop constraint consolidation_configuration_sources_target_fkey,
  add constraint consolidation_configuration_sources_target_fkey foreign key (target) references sources deferrable;

-- The ids of all collections are integers or UUIDs.
alter table consolidation_suggestions alter column id type integer;
alter table consolidation_events alter column id type integer;

-- An event is seen by those who see the unified entity that it is about: also once further contributors have restricted it.
create function restrict_events() returns trigger language plpgsql as $$
begin
  update consolidation_events as v set vis = new.vis
  where v.unified = new.id and v.undone_at is null and v.vis <> new.vis;
  return null;
end $$;
create trigger restrict_events after update of vis on entities for each row
  when (old.vis is distinct from new.vis and new.is_unified) execute function restrict_events();
