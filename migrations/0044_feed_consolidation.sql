-- Whether a feed publishes the contributors of unified entities, the unified entities in their place, or both.
alter table outgoing_feeds add column consolidation text collate "C" not null default 'contributors'
  check (consolidation in ('contributors', 'unified', 'all'));
