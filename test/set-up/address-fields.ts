import { z } from 'zod'
import { listKinds } from '../../server/automation/playbooks/step-kinds.ts'
import { INCOMING_TRANSPORTS, OUTGOING_TRANSPORTS } from '../../server/feeds/transports/transports.ts'

type Schema = Record<string, unknown>

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

const NAME = /(^|_)(url|uri|urls|proxy|issuer|endpoint|webhook|callback|link)$/

/** Every field of a request body that contains an address, by its format or name in the OpenAPI document. */
export function addressFields({ paths, components }: Document): string[] {
  const found = new Set<string>()
  for (const [path, operations] of Object.entries(paths)) {
    const collection = path.replace(/^\/api\/v2\//, '').split('/{')[0] ?? ''
    for (const { requestBody } of Object.values(operations)) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        for (const field of walk(schema, components.schemas))
          if (!field.startsWith('transport_configuration.')) found.add(`${collection}: ${field}`)
      }
    }
  }
  return [...found, ...transportFields(), ...stepFields()]
}

/** The configuration of feeds, by transport: each calls other servers in its own way. */
function transportFields(): string[] {
  return Object.entries({ ...INCOMING_TRANSPORTS, ...OUTGOING_TRANSPORTS }).flatMap(([name, { configuration }]) => {
    const schema = z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' }) as Schema
    return [...walk(schema, {})].map((field) => `${name.replace('eiq.', '')}: ${field}`)
  })
}

/** The parameters of the steps of playbooks, by their kinds. */
function stepFields(): string[] {
  return listKinds().flatMap(({ kind, parameters }) =>
    [...walk(parameters, {})].map((field) => `playbook-steps.${kind}: ${field}`),
  )
}

function* walk(node: Schema, schemas: Record<string, Schema>, path: readonly string[] = []): Generator<string> {
  if (node.readOnly === true || path.length > 12) return
  const name = path.at(-1) ?? ''
  const isText = node.type === undefined || node.type === 'string'
  if (node.format === 'uri' || (isText && NAME.test(name) && !node.anyOf)) yield path.filter(isTelling).join('.')
  const reference = typeof node.$ref === 'string' ? schemas[node.$ref.split('/').at(-1) ?? ''] : undefined
  const parts = [reference, node.items, node.additionalProperties, node.anyOf, node.oneOf, node.allOf].flat()
  for (const part of parts) if (isSchema(part)) yield* walk(part, schemas, path)
  for (const [key, part] of Object.entries(isSchema(node.properties) ? node.properties : {}))
    if (isSchema(part)) yield* walk(part, schemas, [...path, key])
}

const isTelling = (name: string) => name !== 'data'
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
