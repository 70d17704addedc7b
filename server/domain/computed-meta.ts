/** Meta fields that the server computes. Clients cannot set them, and other platforms have no use for them. */
export const COMPUTED_META = [
  'first_ingest_time',
  'ingest_time',
  'is_contributor_to',
  'is_exempt_from_consolidation',
  'is_outdated_version',
  'is_unified_entity',
  'is_unresolved_idref',
  'is_withdrawn',
  'title',
] as const
