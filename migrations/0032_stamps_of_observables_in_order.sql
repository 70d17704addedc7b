-- Lists of observables are walked in the order of these moments. Most were made once and not changed since.
create index on entity_observables (created_at, target);
create index on entity_observables (rated_at, target) where rated_at is not null;
create index on observable_records (last_updated_at, observable) where last_updated_at <> created_at;
