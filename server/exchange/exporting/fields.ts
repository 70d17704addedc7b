import { COMPUTED_META } from '../../domain/computed-meta.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { entityMeta } from '../../intelligence/entities/meta.ts'
import { attributesOf, readShape } from '../../intelligence/shaping/shape.ts'

/** Places at the top of what an entity of any type says, and of what is said of it. */
const PLACES = new Set([
  ...entityData.options.flatMap((option) => Object.keys(option.shape)).map((name) => `data.${name}`),
  ...[...Object.keys(entityMeta.shape), ...COMPUTED_META].map((name) => `meta.${name}`),
])

/** Refuses names of fields that entities do not have; `others` are those that lie outside of their documents. */
export async function requireFields(
  { db }: Pick<Context, 'db'>,
  fields: readonly string[],
  others: readonly string[],
): Promise<void> {
  const own = [...attributesOf(await readShape(db)).keys()].map((name) => `data.${name}`)
  const known = new Set([...others, ...PLACES, ...own])
  const isKnown = (name: string) => known.has(name) || known.has(name.split('.').slice(0, 2).join('.')) || isOwn(name)
  const faults = fields.flatMap((name, i) =>
    isKnown(name) ? [] : [`include_fields[${i}]: '${name.slice(0, 80)}' is not a field of entities`],
  )
  if (faults.length > 0) throw badRequest([...faults, `include_fields: these are: ${[...known].sort().join(', ')}`])
}

/** What others add to STIX has names that begin like this, and nobody knows all of them. */
const isOwn = (name: string): boolean => /^(data|meta)\.x[_-]/.test(name)
