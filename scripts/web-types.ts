import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../server/config.ts'
import { LOOKS } from '../server/domain/observables/guess.ts'
import { definitionOf, OBSERVABLE_TYPES } from '../server/domain/observables/types.ts'
import { OFFERED_TYPES, READABLE_URNS } from '../server/formats/formats.ts'
import { openApi } from '../server/http/openapi/openapi.ts'
import { resources, routes } from '../server/registry.ts'
import type { Schema } from '../web/api/schema.ts'

const HEAD = '// Generated from the definitions of the server by `npx node scripts/web-types.ts`. Do not edit.'

/** The generated files of the web interface with their content. */
export const generatedFiles = (): readonly { readonly path: string; readonly text: string }[] => [
  { path: join(root, 'web/api/resources.ts'), text: webTypes() },
  { path: join(root, 'web/domain/content-types.ts'), text: contentTypes() },
  { path: join(root, 'web/domain/observable-types.ts'), text: observableTypes() },
]

/** The types of all objects that the API returns. */
function webTypes(): string {
  const about = { title: 'Corvus', version: '0', description: '', serverUrl: '' }
  const { components } = openApi(about, resources, routes) as { components: { schemas: Record<string, Schema> } }
  const types = Object.entries(components.schemas)
    .filter(([name]) => !/(Create|Patch)$/.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => declarationOf(name, schema))
  return `${HEAD}\n\n${types.join('\n\n')}\n`
}

/** The content types that users can choose from; the formats themselves are not part of the bundle. */
function contentTypes(): string {
  const types = OFFERED_TYPES.map(({ urn, doc, hasObservables }) => ({ urn, doc, hasObservables }))
  return `${HEAD}

/** Everything that entities can be exported as. */
export const CONTENT_TYPES: readonly { readonly urn: string; readonly doc: string; readonly hasObservables: boolean }[] =
  ${JSON.stringify(types, null, 2).replaceAll('\n', '\n  ')}

/** The content types that incoming feeds can claim. */
export const READABLE_URNS: readonly string[] = ${JSON.stringify(READABLE_URNS, null, 2)}
`
}

/** What the web interface needs to know about observable types. It cannot import the definitions: normalising values needs Node. */
function observableTypes(): string {
  const types = OBSERVABLE_TYPES.map((type) => {
    const { label = type.replaceAll('-', ' '), defanging } = definitionOf(type)
    return `  ${literal(type)}: { label: ${literal(label)}${defanging ? `, defanging: ${literal(defanging)}` : ''} },`
  })
  const looks = LOOKS.map(
    ({ type, test, sign }) => `  { type: ${literal(type)}, test: ${test}${sign ? `, sign: ${sign}` : ''} },`,
  )
  return `${HEAD}
import type { Defanging, Look } from '../../server/domain/observables/definition.ts'

/** All observable types, with their display names and how their values are defanged. */
export const OBSERVABLE_TYPES: Readonly<Record<string, { readonly label: string; readonly defanging?: Defanging }>> = {
${types.join('\n')}
}

/** What values of each type look like once they are refanged, the most specific first. */
export const LOOKS: readonly (Omit<Look, 'order'> & { readonly type: string })[] = [
${looks.join('\n')}
]
`
}

const declarationOf = (name: string, schema: Schema): string =>
  schema.properties && !schema.anyOf && (!schema.oneOf || schema.discriminator)
    ? `export interface ${name} ${objectOf(schema, '')}`
    : `export type ${name} = ${typeOf(schema, '')}`

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map((option) => typeOf(option, indent)))].join(' | ')
  const kinds = [schema.type ?? 'unknown'].flat()
  return kinds.map((kind) => typeOfKind(kind, schema, indent)).join(' | ')
}

function typeOfKind(kind: string, schema: Schema, indent: string): string {
  if (kind === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent), schema.items)}[]`
  if (kind === 'object') return objectOf(schema, indent)
  if (kind === 'integer') return 'number'
  return kind
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
    return `${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}`
  })
  if (fields.length === 0) return 'Readonly<Record<string, unknown>>'
  if (additionalProperties !== false) fields.push(`${inner}readonly [name: string]: unknown`)
  return `{\n${fields.join('\n')}\n${indent}}`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

const grouped = (type: string, { anyOf, oneOf }: Schema = {}): string =>
  /[ |]/.test(type) && (!type.startsWith('{') || (anyOf ?? oneOf)) ? `(${type})` : type

if (import.meta.main) for (const { path, text } of generatedFiles()) await writeFile(path, text)
