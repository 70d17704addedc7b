import { z } from 'zod'
import { createSchema, outputSchema, patchSchema } from '../../engine/body.ts'
import type { Resource } from '../../engine/definition.ts'
import type { Route } from '../../engine/route.ts'
import { annotate, PERMISSION } from './annotate.ts'
import { describe } from './describe.ts'
import { discriminate } from './discriminate.ts'

type Json = Record<string, unknown>

interface About {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly serverUrl: string
}

const REASONS: Record<number, string> = {
  400: 'The request is invalid; each error has its own entry.',
  401: 'No valid token or session.',
  403: 'A permission is missing.',
  404: 'The object does not exist or is not visible to the caller.',
  406: 'The requested media type is not available.',
  409: 'The object already exists, is in use, or is in a state that does not allow this.',
  410: 'The content or position is no longer available.',
  413: 'The content is too large.',
  415: 'The media type of the body is not supported.',
  416: 'The requested range is outside the content.',
  422: 'The query is too broad or takes too long.',
  429: 'The caller has too many concurrent requests; `Retry-After` says when to try again.',
  503: 'A required server does not respond.',
}

/** The OpenAPI 3.1 document of all routes. */
export function openApi(about: About, resources: readonly Resource[], routes: readonly Route[]): Json {
  // The registry holds the names of schemas and the annotations of their fields.
  const names = z.globalRegistry
  const owners = new Map<string, Resource>()
  for (const resource of resources) {
    const id = resource.title.replaceAll(/(?:^|(?<!\W)\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())
    for (const name of [id, `${id}Create`, `${id}Patch`]) owners.set(name, resource)
    const own = {
      [id]: outputSchema(resource),
      [`${id}Create`]: createSchema(resource),
      [`${id}Patch`]: patchSchema(resource),
    }
    for (const [name, schema] of Object.entries(own)) {
      names.add(schema, { ...names.get(schema), id: name })
    }
  }
  const schemas: Record<string, Json> = { Errors: ERRORS }
  const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { metadata: names, io, unrepresentable: 'any' })
    const hoisted = JSON.parse(JSON.stringify({ own, $defs }).replaceAll('"#/$defs/', '"#/components/schemas/'))
    for (const [name, { id: _id, ...definition }] of Object.entries<Json>(hoisted.$defs)) {
      const owner = owners.get(name)
      if (!owner) schemas[name] = definition
      else if (name.endsWith('Patch')) schemas[name] = withoutDefaults(annotate(owner, definition))
      else Object.assign(schemas, discriminate(owner, name, annotate(owner, definition)))
    }
    return hoisted.own
  }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `${route.base ?? '/api/v2'}${route.path}`.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, jsonSchema) }
  }
  const tags = [...new Set(routes.map((route) => describe(route).tag))].map((name) => {
    const resource = resources.find(({ collection }) => collection === name)
    return {
      name,
      description: resource?.doc ?? TAGS[name] ?? name,
      ...(resource && { 'x-corvus-title': resource.title }),
    }
  })
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.serverUrl }],
    security: [{ token: [] }, { session: [] }],
    tags,
    paths,
    components: { securitySchemes: SECURITY, schemas },
  }
}

/** Descriptions of tags for actions and nested collections. Other resources describe their own. */
const TAGS: Record<string, string> = {
  aggregations: 'Counts of entities and observables by the values of their fields.',
  consolidation_configurations: 'Which entities a policy consolidates, and how.',
  'demo-data': 'Invented intelligence to try the platform with.',
  feeds: 'The health of incoming and outgoing feeds.',
  file_outcomes: 'The outcome of each object in an imported file.',
  incoming_blob_outcomes: 'The outcome of each object in the content of an incoming feed.',
  incoming_blobs: 'The content that an incoming feed fetched or received.',
  search: 'The fields that queries can use.',
  ticket_comments: 'Comments on a ticket.',
  ticket_history: 'Changes to a ticket.',
  webhook_deliveries: 'What was sent to a webhook, and the result.',
  workspace_comments: 'Comments on a workspace.',
  session: 'Signing in and out with a browser.',
  configurations: 'Settings of the installation, one record each.',
  system: 'The state of the installation.',
  tags: 'Operations on tags across all entities.',
  events: 'Changes to objects, streamed as they happen.',
  graph: 'Relationships of entities, and paths between them.',
  'text-analysis': 'What a text is about: observables, known entities and attack nodes.',
  compatibility: 'Paths used by existing integrations.',
  taxii: 'The TAXII 2.1 server: read outgoing feeds and send to incoming ones.',
}

const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: "A user's API token." },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: "A username with one of that user's API tokens, or with their password.",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'corvus_session',
    description: 'A browser session; writes require X-CSRF-Token.',
  },
}

const ERRORS: Json = {
  type: 'array',
  items: {
    type: 'object',
    properties: { status: { type: 'integer' }, title: { type: 'string' }, detail: { type: 'string' } },
    required: ['status', 'title', 'detail'],
  },
}

/** A form: the file as is, the other fields as text. */
const FORM: Json = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
  additionalProperties: {
    type: 'string',
    description: 'The fields of the JSON body. Send lists by repeating a field or as JSON, and documents as JSON.',
  },
}

function operation(route: Route, jsonSchema: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const { permission } = route
  const doc = describe(route)
  const { mediaType = 'application/json' } = doc
  const isPublic = permission === 'public'
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = doc.query.map(({ name, schema, description, isRequired }) => ({
    name,
    in: 'query',
    ...(isRequired && { required: true }),
    schema,
    description,
  }))
  const statuses = [
    429,
    ...(isPublic ? [400] : [401, 403]),
    ...(doc.query.length > 0 ? [400] : []),
    ...(doc.refusals ?? []),
  ]
  const body = doc.body ? jsonSchema(doc.body, 'input') : {}
  const success = Object.entries(doc.success).map(([status, schema]) => [
    status,
    {
      description: 'Success.',
      ...(schema && { content: { [mediaType]: { schema: jsonSchema(schema, 'output') } } }),
    },
  ])
  const refusals = [...new Set(statuses)].sort().map((status) => [
    String(status),
    {
      description: REASONS[status] ?? 'Refused.',
      content: {
        [mediaType]: { schema: doc.fault ? jsonSchema(doc.fault, 'output') : { $ref: '#/components/schemas/Errors' } },
      },
    },
  ])
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    tags: [doc.tag],
    description: needs(permission),
    ...(permission !== 'public' && permission !== null && { [PERMISSION]: permission }),
    ...(isPublic && { security: [] }),
    ...(route.takesBasic && { security: [{ token: [] }, { basic: [] }, { session: [] }] }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(doc.body && {
      requestBody: {
        required: true,
        content: {
          [mediaType]: {
            schema: route.method === 'PATCH' ? withoutDefaults(body) : body,
            ...(doc.example !== undefined && { example: doc.example }),
          },
          ...(route.takes === 'multipart/form-data' && { [route.takes]: { schema: FORM } }),
        },
      },
    }),
    responses: Object.fromEntries([...success, ...refusals]),
  }
}

/** A schema for partial updates: fields left out of a PATCH keep their values and take no defaults. */
function withoutDefaults(schema: Json): Json {
  const entries = Object.entries(schema).filter(([keyword]) => keyword !== 'default')
  return Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, keyword === 'properties' ? eachWithout(value as Json) : within(value)]),
  )
}

const eachWithout = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, within(schema)]))

const within = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(within)
  return typeof value === 'object' && value !== null ? withoutDefaults(value as Json) : value
}

function needs(permission: Route['permission']): string {
  if (permission === 'public') return 'Requires no authentication.'
  return permission === null ? 'Requires authentication.' : `Requires the permission \`${permission}\`.`
}
