/** Texts are ids that publishers gave, such as `TA0001:T1566`. */
export type IdType = 'uuid' | 'integer' | 'text'

interface CollectionInfo {
  readonly path: string
  readonly id: IdType
  /** Other spellings of the path that are accepted in requests and references. */
  readonly aliases?: readonly string[]
}

/** Every collection the API exposes: its path in URLs and the type of its ids. */
export const collections = {
  users: { path: 'users', id: 'integer' },
  groups: { path: 'groups', id: 'integer' },
  roles: { path: 'roles', id: 'integer' },
  permissions: { path: 'permissions', id: 'integer' },
  sources: { path: 'sources', id: 'uuid' },
  workspaces: { path: 'workspaces', id: 'integer' },
  tickets: { path: 'tickets', id: 'integer' },
  tasks: { path: 'tasks', id: 'integer' },
  task_runs: { path: 'tasks/runs', id: 'uuid' },
  entities: { path: 'entities', id: 'uuid' },
  attachments: { path: 'entities/attachments', id: 'uuid', aliases: ['entity-attachments'] },
  observables: { path: 'observables', id: 'integer' },
  relationships: { path: 'relationships', id: 'uuid' },
  taxonomies: { path: 'taxonomies', id: 'integer' },
  files: { path: 'files', id: 'integer' },
  file_outcomes: { path: 'files/outcomes', id: 'integer' },
  datasets: { path: 'datasets', id: 'integer' },
  discovery_rules: { path: 'discovery-rules', id: 'integer' },
  entity_rules: { path: 'entities/rules', id: 'integer', aliases: ['rules/entities', 'entity-rules'] },
  entity_rule_effects: { path: 'entity-rule-effects', id: 'uuid' },
  saved_queries: { path: 'saved-queries', id: 'integer' },
  graphs: { path: 'graphs', id: 'integer' },
  dashboards: { path: 'dashboards', id: 'integer' },
  widgets: { path: 'widgets', id: 'integer' },
  workspace_comments: { path: 'workspaces/comments', id: 'integer' },
  ticket_comments: { path: 'tickets/comments', id: 'integer' },
  ticket_history: { path: 'tickets/history', id: 'integer' },
  audit_trail: { path: 'audit-trail', id: 'uuid' },
  history_events: { path: 'history-events', id: 'uuid' },
  retention_policies: { path: 'retention-policies', id: 'integer' },
  content_generation_prompts: { path: 'content-generation-prompts', id: 'integer' },
  knowledge_packs: { path: 'knowledge-packs', id: 'integer' },
  identity_providers: { path: 'identity-providers', id: 'integer' },
  identity_provider_mappings: { path: 'identity-provider-mappings', id: 'integer' },
  user_identities: { path: 'user-identities', id: 'integer' },
  configuration_bundle_producers: { path: 'configuration-bundle-producers', id: 'integer' },
  custom_attributes: { path: 'custom-attributes', id: 'integer' },
  entity_definitions: { path: 'entity-definitions', id: 'integer' },
  csv_mappings: { path: 'csv-mappings', id: 'integer' },
  exclusion_lists: { path: 'exclusion-lists', id: 'integer' },
  mails: { path: 'mails', id: 'integer' },
  webhooks: { path: 'webhooks', id: 'integer' },
  export_blocks: { path: 'export-blocks', id: 'integer' },
  incoming_feeds: { path: 'incoming-feeds', id: 'integer' },
  incoming_blobs: { path: 'incoming-feeds/blobs', id: 'integer' },
  incoming_blob_outcomes: { path: 'incoming-feeds/blobs/outcomes', id: 'integer' },
  outgoing_feeds: { path: 'outgoing-feeds', id: 'integer' },
  content_blocks: { path: 'content-blocks', id: 'integer' },
  enrichers: { path: 'enrichers', id: 'integer' },
  enricher_definitions: { path: 'enricher-definitions', id: 'integer' },
  enricher_tables: { path: 'enricher-tables', id: 'integer' },
  enrichment_rules: { path: 'enrichment-rules', id: 'integer' },
  enrichments: { path: 'enrichments', id: 'integer' },
  detonators: { path: 'detonators', id: 'integer' },
  detonations: { path: 'detonations', id: 'uuid' },
  observable_links: { path: 'observable-links', id: 'integer' },
  consolidation_rules: { path: 'consolidation-rules', id: 'integer' },
  consolidation_configurations: { path: 'consolidation-rules/configurations', id: 'integer' },
  consolidation_events: { path: 'entities/consolidation-events', id: 'integer' },
  consolidation_suggestions: { path: 'consolidation-suggestions', id: 'integer' },
  playbooks: { path: 'playbooks', id: 'integer' },
  playbook_runs: { path: 'playbooks/runs', id: 'uuid' },
  attacks: { path: 'attacks', id: 'text' },
  attack_analyses: { path: 'attack_analyses', id: 'integer' },
  attack_annotations: { path: 'attack_analyses/annotations', id: 'integer' },
  attack_defenses: { path: 'attack-defenses', id: 'integer' },
  defense_relationships: { path: 'attack-defenses/relationships', id: 'integer' },
  defense_inner_relationships: { path: 'attack-defenses/inner-relationships', id: 'integer' },
  defense_statuses: { path: 'attack-defenses/statuses', id: 'integer' },
  log_sources: { path: 'attack-defenses/log-sources', id: 'integer' },
  webhook_deliveries: { path: 'webhooks/deliveries', id: 'uuid' },
} as const satisfies Record<string, CollectionInfo>

export type Collection = keyof typeof collections

/** All spellings of a collection's path: hyphens and underscores are equivalent. */
export const spellings = (collection: Collection): readonly string[] => SPELLINGS.get(collection) ?? []

// Computed once, because requests may contain thousands of references.
const SPELLINGS = new Map(
  Object.entries<CollectionInfo>(collections).map(([collection, { path, aliases = [] }]): [string, string[]] => {
    const all = [path, ...aliases].flatMap((name) => [name, name.replaceAll('-', '_'), name.replaceAll('_', '-')])
    return [collection, [...new Set(all)]]
  }),
)
