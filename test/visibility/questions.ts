import { type Collection, collections, spellings } from '../../server/collections.ts'
import type { Resource } from '../../server/engine/definition.ts'
import type { Method, Route } from '../../server/engine/route.ts'
import { resourceMap } from '../../server/registry.ts'
import type { Chance } from './chance.ts'
import { anyText, draw, namesIn } from './draw.ts'
import { type Instance, id, url } from './instance.ts'
import { luceneQuery } from './lucene.ts'
import { parametersOf } from './parameters.ts'
import { CONFIGURATIONS, FORMS, POSTED } from './posted.ts'
import { isHeat, subjectOf } from './routes.ts'
import { ATTACKS, VIEWERS, type World } from './world.ts'

/** A request in the terms of a world, to send to any instance of it. */
export interface Question {
  readonly route: Route
  readonly method: Method
  path(instance: Instance): string
  body?(instance: Instance): unknown
  /** Whether the response also has what is public in other worlds, which is excluded from the comparison. */
  readonly isOfAll?: boolean
}

/** A request to a route for random objects of the world, with random parameters. */
export function askAbout(chance: Chance, world: World, route: Route, times: readonly string[]): Question {
  const collection = subjectOf(route)
  const resource = collection && resourceMap.get(collection)
  const parameters = parametersOf(chance, world, route, collection)
  const about = { route, method: route.method, ...(isOfAll(route) && { isOfAll: true }) }
  const body = route.method === 'POST' ? POSTED[route.path]?.(chance, world) : undefined
  if (body)
    return { ...about, path: (instance) => `/api/v2${parameters(instance, POSTS[route.path] ?? route.path)}`, body }
  const spelling = collection ? chance.pick(spellings(collection)) : ''
  const canonical = collection ? collections[collection].path : ''
  const pattern = `${route.base ?? '/api/v2'}${route.path.replace(`/${canonical}`, `/${spelling}`)}`
  const query = queryOf(chance, world, route, resource, times)
  return {
    ...about,
    path: (instance) => {
      const path = parameters(instance, pattern)
      const search = query(instance)
      return search === '' ? path : `${path}?${search}`
    },
  }
}

/** Whether a list cannot be filtered by the objects of one world. */
const isOfAll = ({ base, path }: Route): boolean =>
  base !== undefined ||
  /^\/(feeds\/health|configurations\/export|roles|enrichers\/functions|attacks\/frameworks)/.test(path)

/** POST requests with parameters in their URL. */
const POSTS: Readonly<Record<string, string>> = {
  '/knowledge-packs/:id/uninstall': '/knowledge-packs/:id/uninstall?preview=true',
}

function queryOf(
  chance: Chance,
  world: World,
  route: Route,
  resource: Resource | undefined,
  times: readonly string[],
): Query {
  const { path, base } = route
  // More groups than a page has by default are in the worlds together.
  if (base !== undefined) return constant(path === '/groups' ? 'limit=1000' : '')
  if (path === '/enrichers/functions' || path === '/discovery-rules/hits') return () => ''
  if (path === '/search/fields') return fieldsQuery(chance)
  if (path === '/feeds/health' || path.endsWith('/statistics')) return constant(`days=${1 + chance.below(2)}`)
  if (path.startsWith('/aggregations')) return countsQuery(chance, world, times)
  if (path === '/history-events') return historyQuery(chance, world)
  if (path === '/attacks') return constant(`filter[id]=${chance.pick(ATTACKS)}&limit=${1 + chance.below(3)}`)
  // Previews, of which others have more or fewer by now, are left out.
  if (path === '/attacks/frameworks/loads') return constant('filter[state]=loaded')
  if (path === '/attacks/frameworks/reviews') return constant(`filter[state]=${chance.pick(['open', 'chosen'])}`)
  if (isHeat(route)) return heatQuery(chance, world, route, times)
  const runs = resourceMap.get('playbook_runs')
  if (path === '/playbooks/:id/runs' && runs) return listQuery(chance, world, runs, times)
  const attributes = attributesQuery(chance, resource)
  if (path.includes('/:') || path.startsWith('/configurations')) return () => attributes
  if (!resource) return otherQuery(chance, world)
  return withForm(chance, route, listQuery(chance, world, resource, times))
}

type Query = (instance: Instance) => string

const constant =
  (query: string): Query =>
  () =>
    query

const attributesQuery = (chance: Chance, resource: Resource | undefined): string =>
  resource && chance.flip(0.15) ? `attributes=${chance.some(Object.keys(resource.fields), 0.3).join(',')}` : ''

function listQuery(chance: Chance, world: World, resource: Resource, times: readonly string[]): Query {
  const filters = Array.from({ length: chance.pick([0, 1, 1, 1, 2]) }, () => draw(chance, world, resource, times))
  const searched = resource.search?.query && chance.flip(0.4) ? [luceneQuery(chance, world)] : []
  const keys = [...sortable(resource), ...searched.flatMap(() => ['_score', '_score'])]
  const sorts = chance.flip(0.4) ? [chance.pick(['', '-']) + chance.pick(keys)] : []
  const plain = [
    ...sorts.map((sort) => `sort=${sort}`),
    ...(resource.collection === 'entities' ? shapesOf(chance) : []),
    ...(chance.flip(0.2) ? ['data=false'] : []),
    ...(chance.flip(0.3) ? [`limit=${1 + chance.below(3)}`] : ['limit=1000']),
    ...(chance.flip(0.2) ? [`offset=${chance.below(3)}`] : []),
    attributesQuery(chance, resource),
  ].filter(Boolean)
  return (instance) =>
    [
      ...narrowing(instance, resource.collection),
      ...[...searched, ...filters].map((filter) => filter(instance)),
      ...plain,
    ].join('&')
}

/** Whether contributors or unified entities are left out. */
const shapesOf = (chance: Chance): string[] =>
  chance.flip(0.3) ? [`consolidation=${chance.pick(['unified', 'contributors', 'all'])}`] : []

/** Adds the parameters of an export to those of a list. */
function withForm(chance: Chance, { path }: Route, query: Query): Query {
  if (path !== '/entities/export') return query
  const configuration = chance.flip() ? [] : [encodeURIComponent(JSON.stringify(chance.pick(CONFIGURATIONS)))]
  const form = [chance.pick(FORMS), ...configuration.map((text) => `content_configuration=${text}`)]
  return (instance) => [query(instance), ...form].join('&')
}

const COUNTED = [
  'tags',
  'type',
  'sources.name',
  'data.title',
  'extracts.value',
  'extracts.kind',
  'extracts.meta.maliciousness',
  'meta.maliciousness',
  'created_at',
  'meta.tlp_color',
  'meta.attacks',
]

/** How often values occur, among all entities or among some. */
function countsQuery(chance: Chance, world: World, times: readonly string[]): Query {
  const entities = resourceMap.get('entities')
  const fields = `fields=${chance.pick(COUNTED)},${chance.pick(COUNTED)}`
  const narrowed = [
    ...(chance.flip(0.4) ? [luceneQuery(chance, world)] : []),
    ...(entities && chance.flip(0.4) ? [draw(chance, world, entities, times)] : []),
  ]
  const shapes = shapesOf(chance)
  return (instance) => [fields, ...shapes, ...narrowed.map((filter) => filter(instance))].join('&')
}

/** Which entities count for the nodes of a matrix, and how. */
function heatQuery(chance: Chance, world: World, { path }: Route, times: readonly string[]): Query {
  const entities = resourceMap.get('entities')
  const datasets = chance.some(namesIn(world, 'datasets'))
  const chosen = chance.flip(0.3) ? chance.some(namesIn(world, 'entities')) : []
  const parts = ['source', 'type', ...(datasets.length > 0 ? ['dataset', 'dataset'] : [])]
  const by = chance.pick(['count', 'recency', ...(path === '/attacks/heat' ? parts : [])])
  const within = by === 'dataset' || chance.flip(0.2) ? datasets : []
  const plain = [
    ...shapesOf(chance),
    `by=${by}&aggregate=${chance.pick(['none', 'sum', 'max'])}`,
    ...(chance.flip() ? ['relations=true'] : []),
    ...(chance.flip(0.3) ? [`kind=${chance.pick(['gap', 'coverage'])}`] : []),
    ...(chance.flip(0.3) ? [`limit=${1 + chance.below(3)}`] : []),
  ]
  const sides = path.endsWith('/compare') ? [sideOf(chance, world), sideOf(chance, world)] : []
  const narrowed = [
    ...(chance.flip(0.3) ? [luceneQuery(chance, world)] : []),
    ...(entities && chance.flip(0.3) ? [draw(chance, world, entities, times)] : []),
  ]
  return (instance) =>
    [
      ...plain,
      ...sides.map((side, i) => `${['left', 'right'][i]}=${side(instance)}`),
      ...(within.length > 0 ? [`dataset=${within.map((name) => id(instance, name)).join(',')}`] : []),
      ...(chosen.length > 0 ? [`entities=${chosen.map((name) => id(instance, name)).join(',')}`] : []),
      ...narrowed.map((filter) => filter(instance)),
    ].join('&')
}

/** One side of a comparison of what happens in a matrix. */
function sideOf(chance: Chance, { analyses, datasets, entities }: World): Query {
  const [analysis, dataset] = [chance.pick(analyses), chance.pick(datasets)]
  const some = [chance.pick(entities), ...chance.some(entities, 0.3)]
  return chance.pick<Query>([
    () => 'all',
    (instance) => `analysis:${id(instance, analysis.name)}`,
    (instance) => `${analysis.layer ? 'layer' : 'analysis'}:${id(instance, analysis.name)}`,
    (instance) => `dataset:${id(instance, dataset.name)}`,
    (instance) => `entities:${some.map(({ name }) => id(instance, name)).join(',')}`,
  ])
}

/** Collections whose history contains links. */
const LINKING = ['tickets', 'workspaces', 'datasets', 'entities', 'attack_analyses'] as const

/** The history of one object. The whole history would include other worlds. */
function historyQuery(chance: Chance, world: World): Query {
  const collection = chance.pick(['entities', 'observables', 'relationships', ...LINKING] as const)
  const names = namesIn(world, collection)
  const name = names.length === 0 ? undefined : chance.pick(names)
  const kind = chance.flip(0.3) ? `&filter[kind]=${chance.pick(['create', 'update', 'delete'])}` : ''
  return (instance) => `filter[object]=${name ? url(instance, collection, name) : 'none'}${kind}`
}

/** A query of a list that belongs to no resource, such as that of tags. */
function otherQuery(chance: Chance, world: World): Query {
  const word = anyText(chance, world)
  const plain = [
    ...chance.some(['sort=name', 'data=false', 'offset=1'], 0.3),
    chance.pick(['limit=1000', 'limit=1', 'limit=2']),
  ]
  return chance.flip()
    ? () => plain.join('&')
    : (instance) => [`filter[name]=${encodeURIComponent(word(instance))}`, ...plain].join('&')
}

const fieldsQuery = (chance: Chance): Query => {
  const collection = chance.pick(['entities', 'observables', 'relationships'])
  const prefix = chance.pick(['', '', 'data', 'meta.t', 'sources'])
  return () => `collection=${collection}&prefix=${prefix}`
}

/** Objects that only users who are allowed a source see, and therefore no user of another world. */
const GUARDED: ReadonlySet<Collection> = new Set([
  'entities',
  'observables',
  'relationships',
  'attachments',
  'enrichments',
  'observable_links',
  'detonations',
  'consolidation_events',
  'consolidation_suggestions',
])

/** Filters collections that everybody sees, including objects of other worlds, by the objects of this world. */
export function narrowing(instance: Instance, collection: Collection): string[] {
  if (GUARDED.has(collection)) return []
  // The writer is in the groups of all worlds.
  const names = collection === 'users' ? VIEWERS : namesIn(instance.world, collection)
  return names.length === 0 ? ['filter[id]=2147483647'] : names.map((name) => `filter[id]=${id(instance, name)}`)
}

const sortable = ({ fields, search: { filters = {} } = {} }: Resource): string[] => {
  const hasOrder = ([, { props }]: [string, Resource['fields'][string]]) =>
    'type' in props.storage && !['text[]', 'jsonb', 'bytea'].includes(props.storage.type) && props.access !== 'hidden'
  const inside = Object.keys(fields).flatMap((name) => (name === 'data' ? ['data.title', 'data.description'] : []))
  return [
    'id',
    ...[...Object.entries(fields), ...Object.entries(filters)]
      .filter(hasOrder)
      .flatMap(([name]) => (name === 'sha256' ? [] : [name])),
    ...inside,
  ]
}
