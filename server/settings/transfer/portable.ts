import type { Collection } from '../../collections.ts'
import type { Field } from '../../engine/field.ts'
import type { AnyRow, Context, Item, Resource } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Storage } from '../../engine/storage.ts'

/** A collection whose objects can go from one installation to another. */
export interface Portable {
  readonly collection: Collection
  /** The field that says which object is meant, here and there: ids differ between installations. */
  readonly by: string
  /** Fields that follow from others. */
  readonly leftOut?: readonly string[]
  /** Fields that hold a list of parts which each refer to an object: under which name they hold its id, and whose. */
  readonly parts?: Readonly<Record<string, { readonly key: string; readonly to: Portable }>>
}

const customAttributes: Portable = { collection: 'custom_attributes', by: 'name' }

/** What refers to another comes after it. */
export const PORTABLE: readonly Portable[] = [
  { collection: 'roles', by: 'name' },
  { collection: 'taxonomies', by: 'path', leftOut: ['name', 'parent'] },
  customAttributes,
  {
    collection: 'entity_definitions',
    by: 'type',
    parts: { attributes: { key: 'custom_attribute_id', to: customAttributes } },
  },
  { collection: 'csv_mappings', by: 'name' },
  { collection: 'exclusion_lists', by: 'name' },
  { collection: 'retention_policies', by: 'name' },
  { collection: 'content_generation_prompts', by: 'name' },
  { collection: 'configuration_bundle_producers', by: 'api_url' },
  { collection: 'incoming_feeds', by: 'name' },
  { collection: 'workspaces', by: 'name' },
  { collection: 'datasets', by: 'name' },
  { collection: 'discovery_rules', by: 'name' },
  { collection: 'widgets', by: 'name' },
  { collection: 'dashboards', by: 'name' },
  { collection: 'knowledge_packs', by: 'name' },
]

export const isPortable = (name: string): name is Collection => PORTABLE.some(({ collection }) => collection === name)

/** Collections that are the same everywhere: others refer to their objects, and nobody installs them. */
const GIVEN: readonly Portable[] = [{ collection: 'permissions', by: 'name' }]

/** How objects of a collection are named in files, where they are. */
export const byCollection: ReadonlyMap<Collection, Portable> = new Map(
  [...PORTABLE, ...GIVEN].map((portable) => [portable.collection, portable]),
)

/** A field that goes into files, and the collection it refers to. */
export interface Carried {
  readonly name: string
  readonly kind: 'value' | 'one' | 'many' | 'parts'
  readonly to?: Portable
  /** The property of a part that holds the id. */
  readonly key?: string
}

/**
 * The fields of a collection that mean the same elsewhere: values, and references to what can be named there. Secrets
 * stay, and so do users, groups and entities.
 */
export function carriedFields(ctx: Context, { collection, leftOut = [], parts = {} }: Portable): readonly Carried[] {
  const { fields } = resourceOf(ctx, collection)
  return Object.entries(fields).flatMap(([name, { props }]: [string, Field]): Carried[] => {
    if (props.access !== 'read-write' || leftOut.includes(name)) return []
    const part = parts[name]
    if (part) return [{ name, kind: 'parts', ...part }]
    if (props.storage.kind === 'column') return [{ name, kind: 'value' }]
    const to = namedBy(props.storage)
    return to ? [{ name, kind: props.storage.kind === 'ref' ? 'one' : 'many', to }] : []
  })
}

/** Only from the side that owns the links: otherwise each would be in a file twice. */
function namedBy(storage: Storage): Portable | undefined {
  if (storage.kind === 'ref') return byCollection.get(storage.to)
  return storage.kind === 'refs' && storage.here === 'source' ? byCollection.get(storage.to) : undefined
}

/** Whether objects of a collection may be shown to the caller; what is the same everywhere may. */
export const mayRead = (ctx: Context, portable: Portable): boolean =>
  GIVEN.includes(portable) || ctx.caller.permissions.has(readingOf(ctx, portable))

/** The permission to read a collection. */
export const readingOf = (ctx: Context, portable: Portable): string => `read ${resourceFor(ctx, portable).permission}`

/** What an object is called in a file. */
export type Naming = string | readonly string[]

export const nameOf = (row: AnyRow, { by }: Portable): Naming => row[by] as Naming

/** Names as keys of maps: a path is a list. */
export const keyOf = (name: unknown): string => JSON.stringify(name)

/** The references that a field of an object holds, in files names and in rows ids. */
export function referencesIn({ kind, key = '' }: Carried, value: unknown): unknown[] {
  if (kind === 'value' || value === undefined || value === null) return []
  if (kind === 'one') return [value]
  const list = Array.isArray(value) ? value : [value]
  return kind === 'many' ? list : list.map((part) => (part as Item | null)?.[key])
}

/** The same field with other references, in their order. */
export function withReferences({ kind, key = '' }: Carried, value: unknown, references: readonly unknown[]): unknown {
  if (kind === 'one') return references[0] ?? null
  if (kind !== 'parts') return references
  return (Array.isArray(value) ? value : [value]).map((part, i) => ({ ...(part as Item), [key]: references[i] }))
}

export const resourceFor = (ctx: Context, { collection }: Portable): Resource => resourceOf(ctx, collection)
