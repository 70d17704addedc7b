import { z } from 'zod'
import { defineAction } from './engine/action.ts'
import { createSchema } from './engine/body.ts'
import type { Item } from './engine/context.ts'
import type { Answer, Route } from './engine/route.ts'
import { routesOf } from './engine/routes.ts'
import { outgoingFeedDownloads } from './feeds/outgoing/download.ts'
import { outgoingFeeds } from './feeds/outgoing/outgoing-feeds.ts'
import { groups } from './identity/groups.ts'
import { getSelf } from './identity/self.ts'
import { entities } from './intelligence/entities/entities.ts'

const tag = 'compatibility'

/** Clients call these two to check their token. */
const pings = ['/private', '/api'].map((path) =>
  defineAction({
    name: `ping_${path.slice(1)}`,
    doc: 'Check whether a token is valid',
    tag,
    method: 'GET',
    path,
    base: '',
    permission: null,
    run: async () => undefined,
    answer: () => ({ status: 200, body: { data: {} } }),
  }),
)

const self: Route = {
  ...getSelf,
  base: '/private',
  path: '/users/me',
  liftsLimits: false,
  doc: { ...getSelf.doc, tag, operationId: 'get_self_private' },
}

const privateGroups: Route[] = routesOf(groups)
  .filter(({ method, path }) => method === 'GET' && path === '/groups')
  .map((route) => ({
    ...route,
    base: '/private',
    doc: {
      operationId: 'list_groups_private',
      summary: 'List groups, with plain source ids',
      tag,
      success: { 200: null },
    },
    answer: (result, ctx, input) => withPlainSources(route.answer(result, ctx, input)),
  }))

/** Clients send sightings here. */
const privateEntities: Route[] = routesOf(entities)
  .filter(({ method, path }) => method === 'POST' && path === '/entities')
  .map((route) => ({
    ...route,
    base: '/private',
    doc: {
      operationId: 'create_entities_private',
      summary: 'Create an entity',
      tag,
      body: z.object({ data: createSchema(entities) }),
      example: { data: entities.example },
      success: { 201: null },
      refusals: [400, 409],
    },
  }))

/** These clients expect `source` to be the id itself. */
function withPlainSources(answer: Answer): Answer {
  const body = answer.body as { data?: Item[] }
  if (!body.data) return answer
  const plain = (source: unknown) => String(source).split('/').at(-1)
  const data = body.data.map((group) => ('source' in group ? { ...group, source: plain(group.source) } : group))
  return { ...answer, body: { ...body, data } }
}

const feeds: Route[] = routesOf(outgoingFeeds)
  .filter(({ method, path }) => method === 'GET' && ['/outgoing-feeds', '/outgoing-feeds/:id'].includes(path))
  .map((route) => ({
    ...route,
    base: '/private',
    doc: {
      operationId: route.path.endsWith(':id') ? 'get_outgoing_feeds_private' : 'list_outgoing_feeds_private',
      summary: route.path.endsWith(':id') ? 'Get an outgoing feed' : 'List outgoing feeds',
      tag,
      success: { 200: null },
      refusals: route.path.endsWith(':id') ? [404] : [400],
    },
  }))

/** Paths used by existing integrations, served by the same handlers. */
export const compatibilityRoutes: readonly Route[] = [
  ...pings,
  self,
  ...privateGroups,
  ...privateEntities,
  ...feeds,
  ...outgoingFeedDownloads,
]
