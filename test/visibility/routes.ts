import { type Collection, collections } from '../../server/collections.ts'
import type { Method, Route } from '../../server/engine/route.ts'
import { routes } from '../../server/registry.ts'
import { isPostedRead } from './posted.ts'

/** The collections of intelligence, which are also written to. */
export const WRITTEN = [
  'entities',
  'observables',
  'relationships',
  'attachments',
  'datasets',
  'workspaces',
  'tickets',
  'attack_analyses',
] as const satisfies readonly Collection[]

/** The collections that a world has objects of. */
export const WORLDLY = [
  ...WRITTEN,
  'attack_annotations',
  'files',
  'incoming_feeds',
  'outgoing_feeds',
  'content_blocks',
  'export_blocks',
  'knowledge_packs',
  'discovery_rules',
  'graphs',
  'saved_queries',
  'dashboards',
  'widgets',
  'webhooks',
  'enrichers',
  'enrichments',
  'observable_links',
  'enricher_definitions',
  'enricher_tables',
  'detonators',
  'detonations',
  'playbooks',
  'playbook_runs',
  'consolidation_rules',
  'consolidation_events',
  'consolidation_suggestions',
  'task_runs',
  'tasks',
] as const satisfies readonly Collection[]

/** Collections that everybody sees completely, and that have objects of each world. */
const PEOPLE = ['users', 'groups', 'sources'] as const satisfies readonly Collection[]

/** Reads that the worlds do not request, and why nothing is missed by that. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  'GET /audit-trail': 'An auditor reads every call that was made; queries and bodies are not kept.',
  'GET /audit-trail/:id': 'An auditor reads every call that was made.',
  'GET /audit-trail/export': 'An auditor reads every call that was made.',
  'GET /system/status': 'Measures the whole installation: process, database, queue.',
  'GET /session/oidc/start': 'Redirects to a provider before anybody is known.',
  'GET /session/oidc/callback': 'Redirects from a provider before anybody is known.',
  'GET /users/self/tokens': "The caller's own tokens, with ids that no two callers share.",
}

/** Paths outside the API, and why they can reveal nothing about a world. */
export const OUTSIDE_API: Readonly<Record<string, string>> = {
  '/health/live': 'Whether the process answers.',
  '/health/ready': 'Whether the database answers.',
  '/metrics': 'Measures the whole installation, for a token or a network of its own.',
  '/docs': 'The documentation of the API.',
  '/docs/start.js': 'The documentation of the API.',
  '/docs/js/scalar.js': 'The documentation of the API.',
  '/api/v2/openapi.json': 'The documentation of the API.',
}

/** The name of a route in lists. */
export const nameOf = ({ method, base = '', path }: Route): string => `${method} ${base}${path}`

/** Every route that reads. */
export const reads: readonly Route[] = routes.filter((route) => route.method === 'GET' || isPostedRead(route))

/** Routes with checks of their own, because they need more than one request. */
export const SPECIAL: readonly string[] = ['GET /events', 'GET /history-events/:id', 'POST /knowledge-packs/install']

/** The reading routes that are requested with random parameters. */
export const readingRoutes: readonly Route[] = reads.filter(
  (route) => !Object.hasOwn(NOT_ASKED, nameOf(route)) && !SPECIAL.includes(nameOf(route)),
)

/** Routes with the same response for everybody, or without objects of a world. They are requested least. */
const isPlain = (route: Route): boolean =>
  subjectOf(route) === undefined && !/^\/(search|aggregations|history|tags|graph|feeds|root|outgoing)/.test(route.path)

const isIntelligence = (route: Route): boolean => WRITTEN.some((name) => name === subjectOf(route))

/** Routes that count or list entities by the nodes of attack frameworks, and take the parameters of a heat. */
const HEATED = [
  '/attacks/heat',
  '/attacks/coverage',
  '/attacks/:id/entities',
  '/attacks/layer',
  '/attack-defenses/log-sources/gains',
  '/attack_analyses/:id/result',
  '/attack_analyses/:id/layer',
  '/attack_analyses/compare',
]

export const isHeat = ({ path }: Route): boolean => HEATED.includes(path)

/** The same, with routes repeated that have many possible parameters. */
export const weightedRoutes: readonly Route[] = readingRoutes.flatMap((route) => {
  // Half of all outgoing feeds have no collection.
  if (route.path.startsWith('/root/collections')) return [route, route, route]
  if (
    /^\/(attacks\/frameworks\/(loads\/|reviews|preview)|consolidation|entities\/consolidation|enrichments|detonations|playbooks\/(:id\/)?runs|observable-links|discovery-rules\/hits)|(enrich|detonate|playbooks\/dry-run)$|^\/enrichers\/(forecast|batch-run)/.test(
      route.path,
    )
  )
    return [route, route, route]
  // They have as many parameters as lists of entities.
  if (isHeat(route)) return [route, route, route, route]
  if (isPlain(route) || route.path.includes('/:id')) return [route]
  return isIntelligence(route) ? [route, route, route, route] : [route, route]
})

/** The collection that a route is about. */
export function subjectOf({ path }: Route): Collection | undefined {
  if (path.startsWith('/outgoing-feed-download/')) return 'outgoing_feeds'
  const subjects = [...WORLDLY, ...PEOPLE].filter((name) => `${path}/`.startsWith(`/${collections[name].path}/`))
  // The longest path decides: attachments are nested under entities.
  return subjects.sort((a, b) => collections[b].path.length - collections[a].path.length)[0]
}

/** The route of a collection itself. */
export function routeOf(collection: Collection, method: Method): Route {
  const path = `/${collections[collection].path}`
  const found = routes.find((route) => route.method === method && route.path === path && route.base === undefined)
  if (!found) throw new TypeError(`There is no ${method} of ${collection}.`)
  return found
}
