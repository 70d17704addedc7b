import type { Collection } from '../../collections.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import type { Field } from '../../engine/field-class.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Storage } from '../../engine/storage.ts'

/** A collection whose objects can be transferred between installations. */
export interface Portable {
  readonly collection: Collection
  /** The field that identifies an object, because ids differ between installations. */
  readonly by: string
  /** Fields that are derived from others. */
  readonly leftOut?: readonly string[]
  /**
   * Fields with a list of parts that each refer to an object: the property that holds its id, and the collection it
   * refers to.
   */
  readonly parts?: Readonly<Record<string, { readonly key: string; readonly to: Portable }>>
}

const customAttributes: Portable = { collection: 'custom_attributes', by: 'name' }

/** Ordered so that collections come after those they refer to. */
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

/** Collections that every installation has. Others refer to their objects, but they are never installed. */
const BUILT_IN: readonly Portable[] = [{ collection: 'permissions', by: 'name' }]

/** How objects of a collection are identified in files. */
export const byCollection: ReadonlyMap<Collection, Portable> = new Map(
  [...PORTABLE, ...BUILT_IN].map((portable) => [portable.collection, portable]),
)

/** A transferred field, and the collection it refers to. */
export interface TransferredField {
  readonly name: string
  readonly kind: 'value' | 'one' | 'many' | 'parts'
  readonly to?: Portable
  /** The property of a part that holds the id. */
  readonly key?: string
}

/**
 * The fields of a collection that can be transferred: values, and references to objects that can be named. Secrets
 * are left out, and so are users, groups and entities.
 */
export function transferredFields(
  ctx: Context,
  { collection, leftOut = [], parts = {} }: Portable,
): readonly TransferredField[] {
  const { fields } = resourceOf(ctx, collection)
  return Object.entries(fields).flatMap(([name, { props }]: [string, Field]): TransferredField[] => {
    if (props.access !== 'read-write' || leftOut.includes(name)) return []
    const part = parts[name]
    if (part) return [{ name, kind: 'parts', ...part }]
    if (props.storage.kind === 'column') return [{ name, kind: 'value' }]
    const to = namedBy(props.storage)
    return to ? [{ name, kind: props.storage.kind === 'ref' ? 'one' : 'many', to }] : []
  })
}

/** Only from the side that owns the links; otherwise each would be in the file twice. */
function namedBy(storage: Storage): Portable | undefined {
  if (storage.kind === 'ref') return byCollection.get(storage.to)
  return storage.kind === 'refs' && storage.here === 'source' ? byCollection.get(storage.to) : undefined
}

/** Whether the caller may read a collection. Those that every installation has are always readable. */
export const mayRead = (ctx: Context, portable: Portable): boolean =>
  BUILT_IN.includes(portable) || ctx.caller.permissions.has(readPermission(ctx, portable))

/** The permission to read a collection. */
export const readPermission = (ctx: Context, portable: Portable): string =>
  `read ${resourceFor(ctx, portable).permission}`

/** The name of an object in a file. */
export type Naming = string | readonly string[]

export const nameOf = (row: AnyRow, { by }: Portable): Naming => row[by] as Naming

/** Names as map keys, because a path is a list. */
export const keyOf = (name: unknown): string => JSON.stringify(name)

/** The references in a field of an object: names in files, ids in rows. */
export function referencesIn({ kind, key = '' }: TransferredField, value: unknown): unknown[] {
  if (kind === 'value' || value === undefined || value === null) return []
  if (kind === 'one') return [value]
  const list = Array.isArray(value) ? value : [value]
  return kind === 'many' ? list : list.map((part) => (part as Item | null)?.[key])
}

/** The field with its references replaced, in the same order. */
export function withReferences(
  { kind, key = '' }: TransferredField,
  value: unknown,
  references: readonly unknown[],
): unknown {
  if (kind === 'one') return references[0] ?? null
  if (kind !== 'parts') return references
  return (Array.isArray(value) ? value : [value]).map((part, i) => ({ ...(part as Item), [key]: references[i] }))
}

export const resourceFor = (ctx: Context, { collection }: Portable): Resource => resourceOf(ctx, collection)
