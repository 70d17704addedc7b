import { COMPUTED_META } from '../../domain/computed-meta.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { entityMeta } from '../../intelligence/entities/meta.ts'
import { attributesOf, readShape } from '../../intelligence/shaping/shape.ts'

/** The top-level members of data and meta of all entity types. */
const MEMBERS = new Set([
  ...entityData.options.flatMap((option) => Object.keys(option.shape)).map((name) => `data.${name}`),
  ...[...Object.keys(entityMeta.shape), ...COMPUTED_META].map((name) => `meta.${name}`),
])

/** Throws a 400 for fields that entities do not have; `others` are allowed fields outside of data and meta. */
export async function requireFields(
  { db }: Pick<Context, 'db'>,
  fields: readonly string[],
  others: readonly string[],
): Promise<void> {
  const own = [...attributesOf(await readShape(db)).keys()].map((name) => `data.${name}`)
  const known = new Set([...others, ...MEMBERS, ...own])
  const isKnown = (name: string) =>
    known.has(name) || known.has(name.split('.').slice(0, 2).join('.')) || isCustom(name)
  const faults = fields.flatMap((name, i) =>
    isKnown(name) ? [] : [`include_fields[${i}]: '${name.slice(0, 80)}' is not a field of entities`],
  )
  if (faults.length > 0)
    throw badRequest([...faults, `include_fields: the fields are: ${[...known].sort().join(', ')}`])
}

/** Whether a name is that of a STIX custom property, all of which are allowed. */
const isCustom = (name: string): boolean => /^(data|meta)\.x[_-]/.test(name)
