import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { observables } from '../../intelligence/observables/observables.ts'
import { relationships } from '../../intelligence/relationships/relationships.ts'
import { placeOf } from '../../search/sql/data-field.ts'
import { findMostFrequent } from '../aggregating/most-frequent.ts'
import { guardsOf } from '../aggregating/values.ts'
import {
  customAttributeList,
  type Exemplified,
  entityExamples,
  entityList,
  FIELD_TYPES,
  type FieldList,
  observableExamples,
  observableList,
  relationshipExamples,
  relationshipList,
} from './search-field-lists.ts'
import { findPlaces, type Place, sampleOf, shortened } from './search-field-samples.ts'

const EXAMPLES = 3

interface Searched {
  readonly resource: Resource
  readonly fields: FieldList
  readonly examples: Exemplified
  /** Columns in which any path can be searched. */
  readonly documents: readonly string[]
  /** Fields defined by the organisation. */
  own?(ctx: Context): Promise<FieldList>
}

const collections: Readonly<Record<string, Searched>> = {
  entities: {
    resource: entities,
    fields: entityList,
    examples: entityExamples,
    documents: ['data', 'meta'],
    own: customAttributeList,
  },
  observables: { resource: observables, fields: observableList, examples: observableExamples, documents: [] },
  relationships: {
    resource: relationships,
    fields: relationshipList,
    examples: relationshipExamples,
    documents: ['data', 'meta'],
  },
}

interface Plan {
  readonly collection: string
  readonly prefix: string
}

const field = z.object({
  name: z.string(),
  type: z.enum(FIELD_TYPES).describe('A text matches by word, a keyword only as a whole.'),
  description: z.string(),
  examples: z.array(z.string()).describe(`Up to ${EXAMPLES} values visible to you, the most frequent first.`),
})
type SearchField = z.output<typeof field>

const doc: Described = {
  operationId: 'list_search_fields',
  summary: 'List the fields that a query can use, with examples from the newest 2,000 objects visible to you',
  tag: 'search',
  query: [
    {
      name: 'collection',
      schema: { type: 'string', enum: Object.keys(collections), default: 'entities' },
      description: 'The collection to search.',
    },
    {
      name: 'prefix',
      schema: { type: 'string' },
      description: 'Only fields whose names begin with this text, ignoring case.',
    },
  ],
  success: { 200: z.object({ data: z.array(field) }) },
  refusals: [400],
}

/** The searchable fields, for completing queries: named fields and paths in documents. */
export const searchFields: Route<Plan, SearchField[]> = {
  method: 'GET',
  path: '/search/fields',
  permission: 'read entities',
  doc,
  parse: ({ query }) => readPlan(query),
  guards: ({ collection }) => (collection === 'observables' ? ['read extracts'] : []),
  run: findFields,
  answer: (data) => ({ status: 200, body: { data } }),
}

export const searchFieldRoutes: readonly Route[] = [searchFields]

async function findFields(ctx: Context, { collection, prefix }: Plan): Promise<SearchField[]> {
  const fixed = collections[collection]
  if (!fixed) return []
  const searched = { ...fixed, fields: { ...fixed.fields, ...(await fixed.own?.(ctx)) } }
  const isWanted = (name: string) => name.toLowerCase().startsWith(prefix)
  const known = await knownFields(ctx, searched, Object.keys(searched.fields).filter(isWanted))
  const documents = searched.documents.filter((name) => isWanted(name) || prefix.startsWith(`${name}.`))
  const places = documents.length === 0 ? [] : await findPlaces(ctx, searched.resource, documents)
  const others = places.filter(({ name }) => isWanted(name) && !Object.hasOwn(searched.fields, name) && placeOf(name))
  return [...known, ...others.map(described)].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function knownFields(ctx: Context, searched: Searched, names: readonly string[]): Promise<SearchField[]> {
  const { resource, fields, examples } = searched
  const isSeen = (name: string) => guardsOf([name]).every((permission) => ctx.caller.permissions.has(permission))
  const rows = await findMostFrequent(
    ctx,
    { first: sampleOf(ctx, resource), table: sql.table('sample'), where: sql`true` },
    names.map((name) => (isSeen(name) ? examples(ctx, name) : undefined)),
    EXAMPLES,
  )
  const found = Map.groupBy(rows, ({ n }) => n)
  return names.flatMap((name, n): SearchField[] => {
    const [type, description] = fields[name] ?? []
    if (!type || !description) return []
    return [{ name, type, description, examples: (found.get(n) ?? []).map(({ value }) => shortened(value)) }]
  })
}

const described = ({ name, type, examples, kinds }: Place): SearchField => ({
  name,
  type,
  description: kinds.length === 0 ? 'Found in documents.' : `Found in: ${kinds.join(', ')}.`,
  examples: examples.slice(0, EXAMPLES),
})

function readPlan(query: Incoming['query']): Plan {
  const collection = query.collection?.at(-1) ?? 'entities'
  if (!Object.hasOwn(collections, collection)) {
    const names = Object.keys(collections).join(', ')
    throw badRequest(`collection: must be one of ${names}, not '${collection.slice(0, 80)}'.`)
  }
  return { collection, prefix: (query.prefix?.at(-1) ?? '').trim().toLowerCase() }
}
