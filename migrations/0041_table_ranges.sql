-- Tables that are looked up by address, and tables that are downloaded.

alter table enricher_tables
  -- The last addresses of ranges whose first ones are in the key column.
  add column end_column text not null default '',
  -- Of a csv file without a header.
  add column columns text[] not null default '{}',
  add column url text,
  add column execution_schedule jsonb,
  add column task integer references tasks on delete set null deferrable,
  -- Tasks of all owners have this column.
  add column is_active boolean not null generated always as (url is not null) stored;
create index on enricher_tables (task);

-- The addresses of tables. Ranges of a table do not overlap: an address is in the last one that begins at or before it, or in none.
create table enricher_table_ranges (
  owner integer not null references enricher_tables on delete cascade deferrable,
  first_address inet not null,
  last_address inet not null,
  -- Of rows, the narrowest network first.
  positions integer[] not null,
  primary key (owner, first_address)
);
