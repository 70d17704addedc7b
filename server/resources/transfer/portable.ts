import type { Collection } from '../../collections.ts'
import type { Field, Storage } from '../../engine/field.ts'
import type { Id } from '../../engine/reference.ts'
import type { AnyRow, Context, Resource } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'

/** A collection whose objects can go from one installation to another. */
export interface Portable {
  readonly collection: Collection
  /** The field that says which object is meant, here and there: ids differ between installations. */
  readonly by: string
  /** Fields that follow from others. */
  readonly leftOut?: readonly string[]
}

/** What refers to another comes after it. */
export const PORTABLE: readonly Portable[] = [
  { collection: 'roles', by: 'name' },
  { collection: 'taxonomies', by: 'path', leftOut: ['name', 'parent'] },
  { collection: 'retention_policies', by: 'name' },
  { collection: 'content_generation_prompts', by: 'name' },
  { collection: 'configuration_bundle_producers', by: 'api_url' },
  { collection: 'workspaces', by: 'name' },
  { collection: 'datasets', by: 'name' },
  { collection: 'widgets', by: 'name' },
  { collection: 'dashboards', by: 'name' },
  { collection: 'knowledge_packs', by: 'name' },
]

export const isPortable = (name: string): name is Collection => PORTABLE.some(({ collection }) => collection === name)

/** Collections that are the same everywhere: others refer to their objects, and nobody installs them. */
const GIVEN: readonly Portable[] = [{ collection: 'permissions', by: 'name' }]

const byCollection = new Map([...PORTABLE, ...GIVEN].map((portable) => [portable.collection, portable]))

/** A field that goes into files, and the collection it refers to. */
export interface Carried {
  readonly name: string
  readonly kind: 'value' | 'one' | 'many'
  readonly to?: Portable
}

/**
 * The fields of a collection that mean the same elsewhere: values, and references to what can be named there. Secrets
 * stay, and so do users, groups and entities.
 */
export function carriedFields(ctx: Context, { collection, leftOut = [] }: Portable): readonly Carried[] {
  const { fields } = resourceOf(ctx, collection)
  return Object.entries(fields).flatMap(([name, { props }]: [string, Field]): Carried[] => {
    if (props.access !== 'read-write' || leftOut.includes(name)) return []
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

/** What an object is called in a file. */
export type Naming = string | readonly string[]

export const nameOf = (row: AnyRow, { by }: Portable): Naming => row[by] as Naming

/** Names as keys of maps: a path is a list. */
export const keyOf = (name: unknown): string => JSON.stringify(name)

/** The ids that a field of a row holds. */
export const idsIn = (row: AnyRow, { name }: Carried): Id[] => ([row[name] ?? []] as unknown[]).flat() as Id[]

export const resourceFor = (ctx: Context, { collection }: Portable): Resource => resourceOf(ctx, collection)
