import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from './forget.ts'

/** The tables that contain the objects of worlds. */
const TABLES = [
  'entities',
  'entity_versions',
  'entity_observables',
  'entity_taxonomies',
  'entity_attachments',
  'contributors',
  'observables',
  'observable_records',
  'relationships',
  'attachments',
  'datasets',
  'dataset_workspaces',
  'dataset_entities',
  'tickets',
  'ticket_workspaces',
  'ticket_stakeholders',
  'ticket_entities',
  'ticket_comments',
  'ticket_history',
  'workspaces',
  'workspace_collaborators',
  'workspace_groups',
  'workspace_entities',
  'workspace_comments',
  'knowledge_pack_datasets',
  'knowledge_pack_workspaces',
  'outgoing_feed_datasets',
  'files',
  'file_entities',
  'file_workspaces',
  'file_outcomes',
  'incoming_feeds',
  'incoming_blobs',
  'outgoing_feeds',
  'outgoing_feed_groups',
  'content_blocks',
  'collection_objects',
  'export_blocks',
  'knowledge_packs',
  'knowledge_pack_incoming_feeds',
  'discovery_rules',
  'discovery_rule_workspaces',
  'discovered_entities',
  'graphs',
  'saved_queries',
  'dashboards',
  'dashboard_widgets',
  'widgets',
  'webhooks',
  'webhook_deliveries',
  'feed_reports',
  'enrichers',
  'enricher_budgets',
  'enrichment_requests',
  'enrichments',
  'observable_links',
  'enricher_definitions',
  'enricher_tables',
  'detonators',
  'detonator_consents',
  'detonations',
  'detonation_requesters',
  'playbooks',
  'playbook_versions',
  'playbook_runs',
  'playbook_run_steps',
  'playbook_tickets',
  'consolidation_rules',
  'consolidation_configurations',
  'consolidation_events',
  'consolidation_suggestions',
  'unified_entities',
  'attack_analyses',
  'attack_analysis_datasets',
  'attack_analysis_entities',
  'attack_annotations',
  'framework_remappings',
  'passages',
] as const

/** A hash of everything, by table: of the transaction that wrote each row, and its location. */
export const hashAll = (db: Kysely<unknown>): Promise<Hashes> =>
  hash(
    db,
    TABLES.map((table) => ({ name: table, rows: sql`${sql.table(table)} as t` })),
  )

/** A hash of some rows, by table and column. */
export const hashRows = (db: Kysely<unknown>, list: readonly Rows[]): Promise<Hashes> =>
  hash(
    db,
    list.map(({ table, column, ids }) => ({
      name: `${table} by ${column}`,
      rows: sql`${sql.table(table)} as t where t.${sql.ref(column)}::text = any(${ids}::text[])`,
    })),
  )

/** The names of those whose hash has changed. */
export const changesIn = (before: Hashes, after: Hashes): string[] =>
  [...before].flatMap(([name, value]) => (after.get(name) === value ? [] : [name]))

type Hashes = ReadonlyMap<string, string>

async function hash(
  db: Kysely<unknown>,
  list: readonly { readonly name: string; readonly rows: RawBuilder<unknown> }[],
): Promise<Hashes> {
  const selects = list.map(
    ({ name, rows }) => sql`
      select ${name}::text as name, md5(coalesce(string_agg(t.xmin || ' ' || t.ctid, '|' order by t.ctid), '')) as value
      from ${rows}`,
  )
  const { rows } = await sql<{ name: string; value: string }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Updates the planner statistics, because those of the previous worlds would mislead it. */
export async function analyse(db: Kysely<unknown>): Promise<void> {
  await sql`analyze ${sql.join(TABLES.map((table) => sql.table(table)))}`.execute(db)
}

/** Removes everything but the shared workspace. */
export async function wipe(db: Kysely<unknown>): Promise<void> {
  const emptied = TABLES.filter((table) => !/^workspace(s|_collaborators|_groups)$/.test(table))
  await sql`truncate ${sql.join(emptied.map((table) => sql.table(table)))} cascade`.execute(db)
  await sql`delete from workspaces where id <> 1`.execute(db)
  await sql`delete from task_runs`.execute(db)
  await sql`delete from tasks where is_owned`.execute(db)
  await sql`truncate changes`.execute(db)
}
