-- What steps of playbooks did, so that none does it twice.

-- The results of effects that do not tell by themselves that they were there already, such as a comment or a mail. The key is that of a step
-- of a run, and rows last as long as runs can be repeated.
create table playbook_effects (
  key text collate "C" primary key,
  result jsonb not null,
  created_at timestamptz not null default now()
);
create index on playbook_effects (created_at);

-- The tickets that a playbook opened for an object: while one is open, it is updated instead of another one being opened.
create table playbook_tickets (
  ticket integer primary key references tickets on delete cascade deferrable,
  playbook integer not null references playbooks on delete cascade deferrable,
  -- The collection and the id of the object, such as observables/17.
  object text collate "C" not null
);
create index on playbook_tickets (playbook, object);

-- The secrets of steps, sealed. The steps have a token in their place.
alter table playbooks add column step_secrets text;

-- Whether users want to hear what playbooks notify them of.
alter table notification_choices add column playbook_notified boolean not null default true;
