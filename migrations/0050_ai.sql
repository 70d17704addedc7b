-- What language models were asked, and what it cost: who, for which feature, about which objects, but never a text.

create table ai_requests (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  -- Usage stays counted when a user is deleted.
  user_id integer references users on delete set null deferrable,
  feature text not null,
  provider text not null,
  model text not null,
  -- While a request is under way, the most that it may use.
  prompt_tokens bigint not null,
  answer_tokens bigint not null,
  -- In the currency in which the administrator entered the prices.
  cost numeric not null default 0,
  milliseconds integer,
  outcome text not null default 'running' check (outcome in ('running', 'success', 'error', 'aborted')),
  -- Hash of the exact messages.
  prompt_hash bytea not null,
  entities uuid[] not null default '{}',
  -- Hashes of the beginnings of an answer of the assistant: if it comes back as a part of a conversation, its entities are known.
  answer_beginnings bytea[] not null default '{}'
);
create index on ai_requests (user_id, created_at);
create index on ai_requests (created_at);
create index on ai_requests using gin (answer_beginnings);

-- Language models need this permission, and analysts are those who use them. New installations give it to the role.
insert into role_permissions (source, target)
select r.id, p.id
from roles as r
join permissions as p on p.name = 'read configurations'
where r.is_system and r.name = 'Threat Analyst'
on conflict do nothing;
