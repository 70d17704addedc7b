import { type Collection, collections, spellings } from '../../server/collections.ts'
import type { Resource } from '../../server/engine/resource.ts'
import type { Method, Route } from '../../server/engine/route.ts'
import { resourceMap, routes } from '../../server/registry.ts'
import type { Chance } from './chance.ts'
import { anyText, draw, namesIn } from './draw.ts'
import { type Instance, id, url } from './instance.ts'
import { luceneQuery } from './lucene.ts'
import { CONFIGURATIONS, FORMS, isPostedRead, POSTED } from './posted.ts'
import { ATTACKS, type World } from './world.ts'

/** A request in the terms of a world, to be put to any instance of it. */
export interface Question {
  readonly route: Route
  readonly method: Method
  path(instance: Instance): string
  body?(instance: Instance): unknown
}

/** The collections that a world has objects of. */
export const WORLDLY = [
  'entities',
  'observables',
  'relationships',
  'attachments',
  'datasets',
  'workspaces',
  'tickets',
] as const satisfies readonly Collection[]

/** Routes that say nothing of intelligence: who may read them sees all of what they give. */
const PUBLIC =
  /^\/(users|groups|roles|permissions|sources|tasks|taxonomies|configurations|system|session|two-factor|tokens|private|api)?(\/|$)/

/** Records of whoever called and of what is gone, and streams of them, without an end; what they keep back is tested beside them. */
const RECORDS = /^\/(audit-trail|history-events\/|retention-policies|events|webhooks)(\/|$)/

/** The reading routes that could tell what somebody may not see. */
export const readingRoutes: readonly Route[] = routes.filter(
  (route) => isPostedRead(route) || (route.method === 'GET' && !PUBLIC.test(route.path) && !RECORDS.test(route.path)),
)

/** The same, those more often that can be asked in more ways. */
export const weightedRoutes: readonly Route[] = readingRoutes.flatMap((route) =>
  route.path.includes('/:id') ? [route] : [route, route, route, route],
)

/** The collection that a route is about. */
export function subjectOf({ path }: Route): Collection | undefined {
  const subjects = WORLDLY.filter((name) => `${path}/`.startsWith(`/${collections[name].path}/`))
  // The longest one decides: attachments lie below entities.
  return subjects.sort((a, b) => collections[b].path.length - collections[a].path.length)[0]
}

/** The route of a collection itself. */
export function routeOf(collection: Collection, method: Method): Route {
  const path = `/${collections[collection].path}`
  const found = routes.find((route) => route.method === method && route.path === path && route.base === undefined)
  if (!found) throw new TypeError(`There is no ${method} of ${collection}.`)
  return found
}

/** A request on a route for random objects of the world, in random words. */
export function askAbout(chance: Chance, world: World, route: Route, times: readonly string[]): Question {
  const collection = subjectOf(route)
  const resource = collection && resourceMap.get(collection)
  const isList = !route.path.includes('/:id')
  const owner = collection && pickOf(chance, world, collection)
  const relation = relationOf(chance, world, route, resource)
  const spelling = collection ? chance.pick(spellings(collection)) : ''
  const canonical = collection ? collections[collection].path : ''
  const pattern = `${route.base ?? '/api/v2'}${route.path.replace(`/${canonical}`, `/${spelling}`)}`
  const body = route.method === 'POST' ? POSTED[route.path]?.(chance, world) : undefined
  if (body) return { route, method: route.method, path: () => `/api/v2${route.path}`, body }
  const attributes = attributesQuery(chance, resource)
  const query: Query = !isList
    ? () => attributes
    : resource
      ? withForm(chance, route, listQuery(chance, world, resource, times))
      : route.path.startsWith('/aggregations')
        ? countsQuery(chance, world, times)
        : route.path === '/history-events'
          ? historyQuery(chance, world)
          : otherQuery(chance, world)
  return {
    route,
    method: route.method,
    path: (instance) => {
      const path = pattern
        .replace(':id', owner ? id(instance, owner) : UNKNOWN)
        .replace(':relation_id', encodeURIComponent(relation(instance)))
      const search = query(instance)
      return search === '' ? path : `${path}?${search}`
    },
  }
}

/** An id that nothing has. */
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

/** The name of one of a collection's objects, seen or not. */
function pickOf(chance: Chance, world: World, collection: Collection): string | undefined {
  const names = namesIn(world, collection)
  return names.length === 0 ? undefined : chance.pick(names)
}

function relationOf(
  chance: Chance,
  world: World,
  { path }: Route,
  resource: Resource | undefined,
): (instance: Instance) => string {
  const field = /\/:id\/(\w+)\/:relation_id/.exec(path)?.[1]
  const storage = resource?.fields[field ?? '']?.props.storage
  const name = storage?.kind === 'refs' ? pickOf(chance, world, storage.to) : undefined
  const attack = chance.pick(ATTACKS)
  return (instance) => (name === undefined ? attack : id(instance, name))
}

type Query = (instance: Instance) => string

const attributesQuery = (chance: Chance, resource: Resource | undefined): string =>
  resource && chance.flip(0.15) ? `attributes=${chance.some(Object.keys(resource.fields), 0.3).join(',')}` : ''

function listQuery(chance: Chance, world: World, resource: Resource, times: readonly string[]): Query {
  const filters = Array.from({ length: chance.pick([0, 1, 1, 1, 2]) }, () => draw(chance, world, resource, times))
  const searched = resource.search && chance.flip(0.4) ? [luceneQuery(chance, world)] : []
  const keys = [...sortable(resource), ...searched.flatMap(() => ['_score', '_score'])]
  const sorts = chance.flip(0.4) ? [chance.pick(['', '-']) + chance.pick(keys)] : []
  const plain = [
    ...sorts.map((sort) => `sort=${sort}`),
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

/** What an export is asked for beside what a list is. */
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
  return (instance) => [fields, ...narrowed.map((filter) => filter(instance))].join('&')
}

/** What became of one object: of all together, those of other worlds would be told as well. */
function historyQuery(chance: Chance, world: World): Query {
  const collection = chance.pick(['entities', 'observables', 'relationships'] as const)
  const name = pickOf(chance, world, collection)
  const kind = chance.flip(0.3) ? `&filter[kind]=${chance.pick(['create', 'update', 'delete'])}` : ''
  return (instance) => `filter[object]=${name ? url(instance, collection, name) : UNKNOWN}${kind}`
}

/** A query of a list that no resource answers, such as that of tags. */
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

/** Some collections are seen by everybody, those of other worlds as well: the list is of this world's only. */
export const narrowing = (instance: Instance, collection: Collection): string[] =>
  collection === 'tickets' || collection === 'datasets' || collection === 'workspaces'
    ? namesIn(instance.world, collection).map((name) => `filter[id]=${id(instance, name)}`)
    : []

const sortable = ({ fields, places = {} }: Resource): string[] => {
  const hasOrder = ([, { props }]: [string, Resource['fields'][string]]) =>
    'type' in props.storage && !['text[]', 'jsonb', 'bytea'].includes(props.storage.type) && props.access !== 'hidden'
  const inside = Object.keys(fields).flatMap((name) => (name === 'data' ? ['data.title', 'data.description'] : []))
  return [
    'id',
    ...[...Object.entries(fields), ...Object.entries(places)].filter(hasOrder).map(([name]) => name),
    ...inside,
  ]
}
