-- Whether something of an object was lost, whatever became of the rest of it, so that all counts and filters go by the same rule;
-- and how many observables came with an entity that were new to whoever imported it.
alter table file_outcomes
  add column has_loss boolean not null
    generated always as (outcome in ('refused', 'lost') or cardinality(details) > 0) stored,
  add column observables_created integer not null default 0;

create index file_outcomes_losses on file_outcomes (owner, position) where has_loss;
