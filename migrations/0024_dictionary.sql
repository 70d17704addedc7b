-- Words that no entity holds any more are forgotten. Writers remember which words the dictionary has: the epoch changes whenever
-- some are taken out, and tells a writer that what it remembers is out of date.
create table dictionary (
  is_only boolean primary key default true check (is_only),
  epoch bigint not null default 0
);
insert into dictionary default values;

-- Keeps words from being forgotten until the transaction ends, and gives the epoch. The lock comes first: being volatile, the
-- function then reads what was committed while it waited.
create function hold_dictionary() returns bigint language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('dictionary'), 0);
  return (select d.epoch from dictionary as d);
end $$;
