import type { Route } from '../../server/engine/route.ts'
import { routes } from '../../server/registry.ts'
import { stepsOf } from './build-playbooks.ts'
import type { Chance } from './chance.ts'
import { namesIn } from './draw.ts'
import { BUNDLE } from './frameworks.ts'
import { type Instance, id, observableValue, text } from './instance.ts'
import { bareQuery } from './lucene.ts'
import { versionOf } from './model.ts'
import type { World } from './world.ts'

/** Formats and contents in which entities are exported. */
export const FORMS = [
  'content_type=urn:eclecticiq.com:json:3.2',
  'content_type=urn:oasis:stix:json:2.1',
  'content_type=urn:eclecticiq.com:csv-entities:1.0',
  'include_fields=id,data.title,meta.tags,sources.name,observables,attachments',
]
export const CONFIGURATIONS = [
  { tlp_color_filter: 'GREEN' },
  { related_entities: true },
  { observables: { types: ['domain'] } },
  { consolidation: 'unified' },
  { consolidation: 'all' },
]

/** Whether contributors or unified entities are left out. */
const shapeOf = (chance: Chance): object =>
  chance.flip() ? { consolidation: chance.pick(['unified', 'contributors', 'all']) } : {}

/** POST requests that only read, with their bodies: JSON, or a form as bytes. A new one needs a plan here. */
export const POSTED: Readonly<Record<string, (chance: Chance, world: World) => (instance: Instance) => unknown>> = {
  '/aggregations/entities': (chance, world) => {
    const query = bareQuery(chance, world)
    const [group_by, split_by] = [chance.pick(GROUPED), chance.pick(GROUPED)]
    const isSplit = group_by !== split_by && chance.flip()
    const shape = shapeOf(chance)
    return (instance) => ({ data: { query: query(instance), group_by, ...(isSplit && { split_by }), ...shape } })
  },
  '/observables/look-up': (chance, world) => {
    const asked = chance.some(world.observables, 0.7)
    return (instance) => ({
      data: { text: [...asked.map((each) => observableValue(instance, each)), 'nowhere.example'].join('\n') },
    })
  },
  '/entities/export': (chance, world) => {
    const query = bareQuery(chance, world)
    const content_type = chance.pick(FORMS.slice(0, 3)).split('=')[1]
    return (instance) => ({ data: { query: query(instance), content_type } })
  },
  '/text-analysis': (chance, world) => {
    const titles = chance
      .some(world.entities, 0.7)
      .flatMap((entity) => entity.states.map((_, i) => versionOf(entity, i)))
    return (instance) => ({
      data: { text: ['They sent mails.', ...titles.map((title) => `This is ${text(instance, title)}.`)].join('\n') },
    })
  },
  '/knowledge-packs/:id/uninstall': () => () => ({}),
  '/enrichers/forecast': (chance, world) => enrichBody(chance, world, {}),
  '/enrichers/batch-run': (chance, world) => enrichBody(chance, world, { dry_run: true }),
  '/entities/by-query/enrich': (chance, world) => {
    const enrichers = enrichersIn(chance, world)
    const query = bareQuery(chance, world)
    return (instance) => ({
      data: { enrichers: enrichers(instance), entities_query: query(instance), dry_run: true },
    })
  },
  '/entities/by-query/detonate': (chance, world) => {
    const { detonators } = world.holdings
    const asked = [chance.pick(detonators), ...chance.some(detonators)]
    const query = bareQuery(chance, world)
    return (instance) => ({
      data: { detonators: asked.map(({ name }) => id(instance, name)), entities_query: query(instance), dry_run: true },
    })
  },
  '/playbooks/dry-run': (chance, world) => {
    const playbook = chance.pick(world.holdings.playbooks)
    const { collection } = playbook
    const objects = chance.some(namesIn(world, collection), 0.2)
    const query = bareQuery(chance, world)
    return (instance) => ({
      data: {
        playbook: { trigger: { type: 'manual', collection }, steps: stepsOf(playbook) },
        [collection]: objects.map((name) => id(instance, name)),
        ...(collection === 'entities' && { query: query(instance) }),
      },
    })
  },
  '/playbooks/:id/runs': (chance, world) => {
    const collection = chance.pick(['entities', 'observables', 'files'] as const)
    const object = chance.pick(namesIn(world, collection))
    return (instance) => ({ data: { [collection]: [id(instance, object)], dry_run: true } })
  },
  '/entities/by-query/consolidate': (chance, world) => togetherBody(chance, world),
  '/entities/by-query/deconsolidate': (chance, world) => togetherBody(chance, world),
  '/consolidation-rules/preview': (chance) => {
    const entity_types = chance.some(['malware', 'indicator', 'threat-actor', 'location'], 0.5)
    const types = entity_types.length > 0 ? entity_types : ['malware']
    return () => ({ data: { configurations: [{ entity_types: types }] } })
  },
  '/attacks/frameworks/preview': () => () => BUNDLE,
  '/graph/expand': (chance, world) => {
    const [entities, observables] = [chance.some(namesIn(world, 'entities')), chance.some(world.observables)]
    const via = chance.pick(['relationships', 'observables', 'any'])
    const shape = shapeOf(chance)
    return (instance) => ({
      data: {
        ...shape,
        entities: entities.map((name) => id(instance, name)),
        observables: observables.map(({ name }) => id(instance, name)),
        via,
      },
    })
  },
  '/graph/paths': (chance, world) => {
    const [from, to] = [chance.pick(world.entities).name, chance.pick(world.entities).name]
    const via = chance.pick(['relationships', 'observables', 'any'])
    const shape = shapeOf(chance)
    return (instance) => ({ data: { from: id(instance, from), to: id(instance, to), via, ...shape } })
  },
  '/graph/nodes': (chance, world) => {
    const [entities, observables] = [chance.some(namesIn(world, 'entities')), chance.some(world.observables)]
    const shape = shapeOf(chance)
    return (instance) => ({
      data: {
        ...shape,
        entities: entities.map((name) => id(instance, name)),
        observables: observables.map(({ name }) => id(instance, name)),
      },
    })
  },
}

/** Enrichers of a world, at least one. */
function enrichersIn(chance: Chance, world: World): (instance: Instance) => string[] {
  const names = namesIn(world, 'enrichers')
  const asked = [chance.pick(names), ...chance.some(names)]
  return (instance) => asked.map((name) => id(instance, name))
}

function enrichBody(chance: Chance, world: World, more: object): (instance: Instance) => unknown {
  const enrichers = enrichersIn(chance, world)
  const [entities, observables] = [chance.some(world.entities), chance.some(world.observables, 0.7)]
  const force = chance.flip(0.2)
  return (instance) => ({
    data: {
      enrichers: enrichers(instance),
      entities: entities.map(({ name }) => id(instance, name)),
      observables: observables.map(({ name }) => id(instance, name)),
      force,
      ...more,
    },
  })
}

/** Selected entities, and those that a query finds. */
function togetherBody(chance: Chance, world: World): (instance: Instance) => unknown {
  const query = chance.flip() ? bareQuery(chance, world) : undefined
  const entities = chance.some(namesIn(world, 'entities'), 0.4)
  return (instance) => ({
    data: {
      entities: entities.map((name) => id(instance, name)),
      ...(query && { entities_query: query(instance) }),
      dry_run: true,
    },
  })
}

/** Requests that start background work, or store something for the caller alone. Other routes read their results. */
const STARTED = new Set([
  '/entities/by-query/export',
  '/entities/extract-csv',
  '/saved-queries',
  '/outgoing-feeds/:id/preview',
])

/** Writes that have a preview. */
const PREVIEWS = new Set([
  '/knowledge-packs/:id/uninstall',
  '/knowledge-packs/install',
  '/enrichers/forecast',
  '/enrichers/batch-run',
  '/entities/by-query/enrich',
  '/entities/by-query/detonate',
  '/playbooks/dry-run',
  '/playbooks/:id/runs',
  '/entities/by-query/consolidate',
  '/entities/by-query/deconsolidate',
  '/consolidation-rules/preview',
  '/attacks/frameworks/preview',
])

/** Fields to group entities by. */
const GROUPED = ['type', 'tags', 'sources.name', 'meta.tlp_color', 'extracts.kind', 'extracts.meta.maliciousness']

export const isPostedRead = ({ method, permission, path }: Route): boolean =>
  method === 'POST' &&
  // These worlds have no language models, so that all of these are refused. They have tests of their own.
  !path.startsWith('/ai/') &&
  (String(permission).startsWith('read ') ? !STARTED.has(path) : PREVIEWS.has(path))

/** The reading POST requests that have no plan. */
export const unplanned: readonly string[] = routes
  .filter(
    (route) => isPostedRead(route) && !Object.hasOwn(POSTED, route.path) && route.path !== '/knowledge-packs/install',
  )
  .map(({ path }) => path)
