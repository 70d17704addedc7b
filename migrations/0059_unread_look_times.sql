-- Runs wake by the state of what they wait for, and no longer by times.
alter table playbook_run_steps drop column looked_at;
