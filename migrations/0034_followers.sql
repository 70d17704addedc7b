-- What follows the log of changes, and how far each follower has come.
create table followers (
  name text collate "C" not null,
  -- A follower of which there are many has a row for each of them, for example for each webhook; 0 where there is one.
  owner integer not null default 0,
  -- The position: every change before it, and this many objects of the change itself, have been handled.
  change bigint not null default 0,
  item integer not null default 0,
  failures integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- The process that is working on it. A lease that was not renewed in time is free for others.
  claim uuid,
  claimed_until timestamptz,
  primary key (name, owner)
);

insert into followers (name, owner, change, item, failures, next_attempt_at)
select 'webhooks', id, told_change, told_item, failures, next_attempt_at from webhooks;

alter table webhooks
  drop column told_change,
  drop column told_item,
  drop column failures,
  drop column next_attempt_at,
  drop column claim,
  drop column claimed_until;
