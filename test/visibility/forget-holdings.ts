import { type Kysely, sql } from 'kysely'
import type { Partly, Rows } from './forget.ts'
import { unseenResults } from './forget-enriching.ts'
import { blobsIn, fileOf, linesIn, runOf, taskOf } from './holding-ids.ts'
import type { Holdings } from './holdings.ts'
import { type Instance, id } from './instance.ts'

/** Rows about unseen holdings, rows that refer to others before these. */
export function unseenHoldings(instances: readonly Partly[]): Rows[] {
  const unseen = (namesOf: (instance: Instance) => readonly string[], idOf = id) =>
    instances.flatMap(({ instance, seen }) =>
      namesOf(instance).flatMap((name) => (seen.names.has(name) ? [] : idOf(instance, name))),
    )
  const of = (list: (holdings: Holdings) => readonly { readonly name: string }[]) =>
    unseen(({ world }) => list(world.holdings).map(({ name }) => name))
  const blobs = unseen((instance) => blobsIn(instance).map(({ name }) => name))
  const blobFiles = unseen((instance) => blobsIn(instance).map(({ name }) => fileOf(name)))
  const tasks = unseen(({ world }) => world.holdings.rules.map(({ name }) => taskOf(name)))
  const byId = (table: string, ids: readonly string[]): Rows => ({ table, column: 'id', ids })
  const entities = unseen(({ world }) => world.entities.map(({ name }) => name))
  return [
    ...unseenResults(instances),
    byId(
      'consolidation_events',
      of(({ joinEvents }) => joinEvents),
    ),
    byId(
      'consolidation_suggestions',
      of(({ suggestions }) => suggestions),
    ),
    byId(
      'file_outcomes',
      unseen((instance) => linesIn(instance).map(({ line }) => line.name)),
    ),
    { table: 'file_entities', column: 'target', ids: entities },
    { table: 'discovered_entities', column: 'target', ids: entities },
    byId('incoming_blobs', blobs),
    byId('files', [...of(({ files }) => files), ...blobFiles]),
    byId(
      'content_blocks',
      of(({ outgoingFeeds }) => outgoingFeeds.flatMap(({ blocks }) => blocks)),
    ),
    {
      table: 'collection_objects',
      column: 'stix_id',
      ids: of(({ outgoingFeeds }) => outgoingFeeds.flatMap(({ objects }) => objects)).map((each) => `tool--${each}`),
    },
    byId(
      'export_blocks',
      of(({ exports }) => exports),
    ),
    byId(
      'discovery_rules',
      of(({ rules }) => rules),
    ),
    byId('tasks', tasks),
    byId(
      'graphs',
      of(({ graphs }) => graphs),
    ),
    byId(
      'saved_queries',
      of(({ queries }) => queries),
    ),
    byId(
      'dashboards',
      of(({ dashboards }) => dashboards),
    ),
    byId(
      'widgets',
      of(({ dashboards }) => dashboards.map(({ widget }) => widget)),
    ),
    byId(
      'detonations',
      of(({ detonations }) => detonations),
    ),
    byId(
      'playbook_runs',
      of(({ playbookRuns }) => playbookRuns),
    ),
    byId(
      'webhooks',
      of(({ webhooks }) => webhooks),
    ),
  ]
}

/** Replaces details that the viewer does not see, who must not notice any difference. */
export async function changeUnseenDetails(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const isStarted = ({ seen }: Partly, name: string) => seen.texts.has(`${name}detail`)
  const hidden = twins.flatMap((twin) => {
    const { runs, files, exports, incomingFeeds, outgoingFeeds, rules, enrichers, policies } =
      twin.instance.world.holdings
    const named = [...files, ...exports, ...incomingFeeds, ...outgoingFeeds, ...rules, ...enrichers, ...policies]
    return [
      ...runs.flatMap(({ name }) => (isStarted(twin, name) ? [] : id(twin.instance, name))),
      ...named.flatMap(({ name }) => (isStarted(twin, name) ? [] : id(twin.instance, runOf(name)))),
    ]
  })
  await sql`
    update task_runs
    set parameters = '{"other": 1}', result = '{"entities": {"other": 2}}', error_detail = 'other', log = '{other, other}'
    where id = any(${hidden}::uuid[])`.execute(db)
  await sql`delete from feed_reports where run = any(${hidden}::uuid[])`.execute(db)
  const blobs = twins.flatMap(({ instance }) => blobsIn(instance).map(({ name }) => id(instance, name)))
  await sql`
    update incoming_blobs set result = '{"entities": {"other": 2}}' where id = any(${blobs}::integer[])`.execute(db)
}

/** Removes unseen nodes from graphs. */
export async function forgetNodes(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const unseen = twins.flatMap(({ instance, seen }) =>
    [...instance.world.entities, ...instance.world.observables].flatMap(({ name }) =>
      seen.names.has(name) ? [] : id(instance, name),
    ),
  )
  await sql`
    update graphs as g set content = jsonb_set(g.content, '{nodes}', coalesce((
      select jsonb_agg(n.node order by n.n)
      from jsonb_array_elements(g.content -> 'nodes') with ordinality as n(node, n)
      where n.node ->> 'id' <> all(${unseen}::text[])), '[]'))`.execute(db)
}
