-- What made a change happen, where no user or feed did directly: a rule, an enricher. Each step of automation is one deeper than
-- the change it reacts to, so that loops can be stopped.
alter table changes
  add column cause_kind text collate "C",
  add column cause_id text collate "C",
  add column cause_depth smallint;
-- Not checked for existing rows, which have none: that would lock the log while it is read as a whole.
alter table changes add constraint changes_cause_check
  check (num_nulls(cause_kind, cause_id, cause_depth) in (0, 3)) not valid;

-- Runs hand the cause of their start on to what they write.
alter table task_runs add column cause jsonb;
