alter table discovery_rules
  -- Digests of what the rule matches and of what its owner may see, as of the start of its last rescan: a rescan follows when one changes.
  add column matching text,
  add column sight text,
  -- When what it matches last changed: entities written since are hits, which users are notified about.
  add column matching_since timestamptz not null default now(),
  -- Why it cannot be compared with entities; null if it can.
  add column problem text;

-- The hourly rescan was the default. Entities are compared as they are written.
update tasks as t
set execution_schedule = null, next_run_at = null
from discovery_rules as r
where r.task = t.id and r.execution_schedule = '{"cron": null, "interval": 3600, "time_zone": "UTC"}';
update discovery_rules set execution_schedule = null
where execution_schedule = '{"cron": null, "interval": 3600, "time_zone": "UTC"}';

-- The write in which a rule found the entity; null if a rescan found it.
alter table discovered_entities add column written_at timestamptz;
create index on discovered_entities (source, discovered_at) where written_at is not null;

alter table notification_choices add column entity_discovered boolean not null default true;
