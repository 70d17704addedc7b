-- Own defenses are found by type and name. PostgreSQL takes no value for a generated column, but an upsert has to name it.

alter table attack_defenses alter column own drop expression;

create function mark_own_defense() returns trigger language plpgsql as $$
begin
  new.own := case when not new.is_system then 'own' end;
  return new;
end $$;
create trigger mark_own_defense before insert or update of is_system, own on attack_defenses
  for each row execute function mark_own_defense();
