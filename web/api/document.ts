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

/** The OpenAPI document of the server. */
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

/** How long the document is cached: it changes only with the server version or the entity schema. */
const STALE_MS = 300_000

export const documentQuery = queryOptions({
  queryKey: ['openapi.json'],
  queryFn: ({ signal }) => call<ApiDocument>('GET', 'openapi.json', undefined, signal),
  staleTime: STALE_MS,
})

/** The schemas of the document by name, from the same request as the document. */
export const schemasQuery = queryOptions({
  ...documentQuery,
  select: ({ components }: ApiDocument) => components.schemas,
})

/** Resolves a reference to its schema. */
export function resolved(schemas: Schemas, schema: Schema = {}): Schema {
  if (!schema.$ref) return schema
  const { $ref, ...marks } = schema
  const found = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  return found ? { ...resolved(schemas, found), ...marks } : marks
}

/** The JSON schema of a request body. */
export const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content?.['application/json']?.schema

/** The JSON schema of a successful response. */
export function answerOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success?.content?.['application/json']?.schema
}
