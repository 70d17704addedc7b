-- Summaries and reports that language models made. The key is a hash of everything that decides about the answer: operation, provider, model,
-- instructions, and the texts as the caller read them. Whoever finds a row by its key has just read the same texts.

create table ai_summaries (
  id bigint generated always as identity primary key,
  key bytea not null unique,
  created_at timestamptz not null default now(),
  result jsonb not null,
  -- The messages, which are shown to those who ask what was sent.
  sent jsonb not null
);
create index on ai_summaries (created_at);

-- The entities that a summary was made from.
create table ai_summary_entities (
  summary bigint not null references ai_summaries on delete cascade deferrable,
  entity uuid not null references entities on delete cascade deferrable,
  primary key (summary, entity)
);
create index on ai_summary_entities (entity);

-- What was made from an entity does not outlive it.
create function delete_ai_summaries() returns trigger language plpgsql as $$
begin
  delete from ai_summaries where id in (select summary from gone);
  return null;
end $$;
create trigger delete_ai_summaries after delete on ai_summary_entities
  referencing old table as gone for each statement execute function delete_ai_summaries();
