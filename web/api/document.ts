import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import type { Schema, Schemas } from './schema.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly 'x-corvus-permission'?: string
}

type Operations = Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>

/** What the server says of its API: which collections there are, and how their objects look. */
export interface ApiDocument {
  readonly info: { readonly version: string }
  readonly tags: readonly {
    readonly name: string
    readonly description: string
    readonly 'x-corvus-title'?: string
  }[]
  readonly paths: Readonly<Record<string, Operations>>
  readonly components: { readonly schemas: Schemas }
}

/** How long the document is taken as it is: it changes when the server or the shape of entities does. */
const STALE_MS = 300_000

export const documentQuery = queryOptions({
  queryKey: ['openapi.json'],
  queryFn: ({ signal }) => call<ApiDocument>('GET', 'openapi.json', undefined, signal),
  staleTime: STALE_MS,
})

/** The schemas of the document by their names; who asks for them and for the document asks once. */
export const schemasQuery = queryOptions({
  ...documentQuery,
  select: ({ components }: ApiDocument) => components.schemas,
})

/** The schema that a reference leads to, or the schema itself. */
export function resolved(schemas: Schemas, schema: Schema = {}): Schema {
  if (!schema.$ref) return schema
  const { $ref, ...marks } = schema
  const found = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  return found ? { ...resolved(schemas, found), ...marks } : marks
}

/** The schema of the JSON that an operation takes. */
export const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content?.['application/json']?.schema

/** The schema of the JSON that an operation answers with when all went well. */
export function answerOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success?.content?.['application/json']?.schema
}
