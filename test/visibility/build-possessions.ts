import { detailOf, taskOf } from './holding-ids.ts'
import type { Holdings } from './holdings.ts'
import type { Insert } from './inserter.ts'
import { id, text } from './instance.ts'
import { NAMING } from './world.ts'

const AGGREGATION = {
  group_by: 'tags',
  split_by: null,
  time_zone: '+00:00',
  metric: 'count',
  limit: 10,
  include_other: false,
  fill: false,
}

/** Objects that belong to users: packs, rules, graphs, queries, dashboards and webhooks. */
export async function insertPossessions(insert: Insert): Promise<void> {
  const link = linker(insert)
  await insertPacks(insert, link)
  await insertRules(insert, link)
  await insertGraphs(insert)
  await insertShared(insert, link)
  await insertWebhooks(insert)
}

type Link = ReturnType<typeof linker>

/** Inserts links from holdings to the objects that they refer to. */
const linker =
  (insert: Insert) =>
  <T extends { readonly name: string }>(
    table: string,
    type: string,
    owners: (holdings: Holdings) => readonly T[],
    targets: (owner: T) => readonly string[],
  ): Promise<void> =>
    insert(table, `source integer, target ${type}`, (instance) =>
      owners(instance.world.holdings).flatMap((owner) =>
        targets(owner).map((target) => ({ source: id(instance, owner.name), target: id(instance, target) })),
      ),
    )

async function insertPacks(insert: Insert, link: Link): Promise<void> {
  await insert('knowledge_packs', 'id integer, name text, is_installed boolean', (instance) =>
    instance.world.holdings.packs.map(({ name }) => ({
      id: id(instance, name),
      name: text(instance, name),
      is_installed: false,
    })),
  )
  const packs = (holdings: Holdings) => holdings.packs
  await link('knowledge_pack_datasets', 'integer', packs, ({ datasets }) => datasets)
  await link('knowledge_pack_workspaces', 'integer', packs, ({ workspaces }) => workspaces)
  await link('knowledge_pack_incoming_feeds', 'integer', packs, ({ incomingFeeds }) => incomingFeeds)
}

async function insertRules(insert: Insert, link: Link): Promise<void> {
  await insert(
    'discovery_rules',
    'id integer, name text, search_query text, is_active boolean, owner integer, task integer, created_by integer',
    (instance) =>
      instance.world.holdings.rules.map(({ name, owner }) => ({
        id: id(instance, name),
        name: text(instance, name),
        search_query: NAMING,
        is_active: false,
        owner: id(instance, owner),
        task: id(instance, taskOf(name)),
        created_by: id(instance, owner),
      })),
  )
  const rules = (holdings: Holdings) => holdings.rules
  const discoveredAt = [1, 2, 2].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString())
  await link('discovery_rule_workspaces', 'integer', rules, ({ workspaces }) => workspaces)
  // Half of them were found when they were written, and are hits.
  await insert(
    'discovered_entities',
    'source integer, target uuid, discovered_at timestamptz, written_at timestamptz',
    (instance) =>
      instance.world.holdings.rules.flatMap(({ name, entities }) =>
        entities.map((entity, i) => ({
          source: id(instance, name),
          target: id(instance, entity),
          discovered_at: discoveredAt[i % 3],
          written_at: i % 2 === 0 ? discoveredAt[i % 3] : null,
        })),
      ),
  )
}

async function insertGraphs(insert: Insert): Promise<void> {
  await insert('graphs', 'id integer, name text, workspace integer, content jsonb', (instance) =>
    instance.world.holdings.graphs.map(({ name, workspace, entities, observables }) => ({
      id: id(instance, name),
      name: text(instance, name),
      workspace: id(instance, workspace),
      content: {
        nodes: [
          ...entities.map((each) => ({ kind: 'entity', id: id(instance, each), x: 0, y: 0, is_pinned: false })),
          ...observables.map((each) => ({
            kind: 'observable',
            id: Number(id(instance, each)),
            x: 1,
            y: 1,
            is_pinned: false,
          })),
        ],
        aggregates: [],
        filters: { hidden_types: [], hidden_keys: [], least_degree: 0, from: null, until: null },
      },
    })),
  )
}

/** Objects that owners can share: queries, and dashboards with their widgets. */
async function insertShared(insert: Insert, link: Link): Promise<void> {
  const shared = (column: string) => `id integer, name text, ${column} boolean, created_by integer`
  await insert('saved_queries', `${shared('is_shared')}, query text`, (instance) =>
    instance.world.holdings.queries.map(({ name, owner, isShared }) => ({
      id: id(instance, name),
      name: text(instance, name),
      is_shared: isShared,
      query: NAMING,
      created_by: id(instance, owner),
    })),
  )
  await insert('dashboards', shared('is_shared_with_all'), (instance) =>
    instance.world.holdings.dashboards.map(({ name, owner, isShared }) => ({
      id: id(instance, name),
      name: text(instance, name),
      is_shared_with_all: isShared,
      created_by: id(instance, owner),
    })),
  )
  await insert(
    'widgets',
    'id integer, name text, type text, query text, aggregation jsonb, settings jsonb, created_by integer',
    (instance) =>
      instance.world.holdings.dashboards.map(({ owner, widget: { name, type } }) => ({
        id: id(instance, name),
        name: text(instance, name),
        type,
        query: `${instance.code}* OR ${NAMING}`,
        aggregation: type === 'bar' ? AGGREGATION : null,
        settings: type === 'attack-matrix' ? { attack: { relations: true } } : {},
        created_by: id(instance, owner),
      })),
  )
  await link(
    'dashboard_widgets',
    'integer',
    ({ dashboards }) => dashboards,
    ({ widget }) => [widget.name],
  )
}

async function insertWebhooks(insert: Insert): Promise<void> {
  await insert(
    'webhooks',
    'id integer, name text, url text, is_active boolean, collections text[], kinds text[], created_by integer',
    (instance) =>
      instance.world.holdings.webhooks.map(({ name, owner }) => ({
        id: id(instance, name),
        name: text(instance, name),
        url: `https://${text(instance, name)}.example/`,
        is_active: false,
        collections: ['entities'],
        kinds: ['create'],
        created_by: id(instance, owner),
      })),
  )
  await insert(
    'webhook_deliveries',
    'id uuid, owner integer, state text, first_change bigint, first_item integer, last_change bigint, last_item integer, events integer, reason text',
    (instance) =>
      instance.world.holdings.webhooks.map(({ name }) => ({
        id: id(instance, `delivery of ${name}`),
        owner: id(instance, name),
        state: 'DELIVERED',
        first_change: 1,
        first_item: 1,
        last_change: 1,
        last_item: 1,
        events: name.length,
        reason: text(instance, detailOf(name)),
      })),
  )
}
