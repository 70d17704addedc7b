import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { DEFINED, findFunctions } from './find-function.ts'
import type { EnricherFunction } from './function.ts'
import { functions } from './functions/functions.ts'
import { TABLE } from './functions/table/table-function.ts'

/** A function as it is shown: its parameters are a JSON schema, in which secrets have the format `password`. */
export const shownFunction = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  supported_types: z.array(z.string()),
  parameters: z.looseObject({}).describe('A JSON schema.'),
  secrets: z.array(z.string()).describe('The parameters that are stored encrypted and never returned.'),
  limits: z.array(z.object({ calls: z.int(), seconds: z.int() })).describe('The defaults of new enrichers.'),
  is_remote: z.boolean().describe('Whether observables are sent to a service.'),
  requests_per_look_up: z.int(),
  source_urls: z.record(z.string(), z.string()),
  set_up: z.string().nullable().describe('What to do before it can be used; null if nothing.'),
  is_own: z.boolean().describe('Whether a user defined it.'),
})

type Shown = z.output<typeof shownFunction>

/** All functions: those of the platform, then those that users defined, and their tables. */
export async function listFunctions(db: Kysely<unknown>): Promise<Shown[]> {
  const { rows } = await sql<{ name: string }>`
    select ${DEFINED}::text || name as name from enricher_definitions
    union all
    select ${TABLE}::text || name from enricher_tables
    order by name`.execute(db)
  const own = await findFunctions(
    db,
    rows.map(({ name }) => name),
  )
  const defined = [...own.values()].filter(({ name }) => !functions.some((known) => known.name === name))
  return [
    ...functions.toSorted((a, b) => (a.title < b.title ? -1 : 1)).map((known) => show(known, false)),
    ...defined.map((known) => show(known, true)),
  ]
}

const show = (known: EnricherFunction, isOwn: boolean): Shown => ({
  name: known.name,
  title: known.title,
  description: known.description,
  supported_types: [...known.supportedTypes],
  parameters: withSecretMarks(z.toJSONSchema(known.parameters, { io: 'input', unrepresentable: 'any' }), known.secrets),
  secrets: [...known.secrets],
  limits: [...known.limits],
  is_remote: known.isRemote,
  requests_per_look_up: known.requestsPerLookUp,
  source_urls: { ...known.sourceUrls },
  set_up: known.setUp,
  is_own: isOwn,
})

function withSecretMarks(schema: z.core.JSONSchema.BaseSchema, secrets: readonly string[]): Record<string, unknown> {
  const { $schema: _, ...rest } = schema
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    secrets.includes(name) && typeof property === 'object' ? asSecret(property) : property,
  ])
  return { ...rest, properties: Object.fromEntries(properties) }
}

/** A secret, or an object whose texts are secrets. */
const asSecret = (property: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema =>
  property.type === 'object'
    ? { ...property, additionalProperties: { format: 'password', writeOnly: true } }
    : { ...property, format: 'password', writeOnly: true }
