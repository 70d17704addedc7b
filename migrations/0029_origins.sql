-- What imports know of objects that came from elsewhere. Objects that were not born as STIX are created once, wherever that was, and each
-- of their versions has one time; `at` is the time of the version here that this is about.
create table origins (
  object uuid primary key,
  created timestamptz,
  modified timestamptz,
  at timestamptz not null,
  -- The tags that the document brought: a later version of it may take them away.
  tags text[] not null default '{}'
);

create function forget_origins() returns trigger language plpgsql as $$
begin
  delete from origins where object in (select id from gone);
  return null;
end $$;

create trigger forget_origins after delete on entities
  referencing old table as gone for each statement execute function forget_origins();
create trigger forget_origins after delete on relationships
  referencing old table as gone for each statement execute function forget_origins();
