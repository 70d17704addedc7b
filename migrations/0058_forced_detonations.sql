-- Detonations of samples that already have a result. Each has its own submission, whatever the vendor knows.

alter table detonations add column is_forced boolean not null default false;

drop index detonations_under_way;
create unique index detonations_under_way on detonations (detonator, key, is_forced)
  where state in ('WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING');
