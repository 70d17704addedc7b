import type { Context, Item } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'
import { readShape } from '../../intelligence/shaping/shape.ts'
import type { ParsedEntity } from './parse-entity.ts'

/** Limits how many types files can define, because every write of an entity reads all types. */
const MAX_TYPES = 1000

/** Defines custom types that entities use and that are not defined yet; gives the entities whose types exceed the limit. */
export async function defineTypes(ctx: Context, entities: readonly ParsedEntity[]): Promise<readonly ParsedEntity[]> {
  const wanted = new Set(entities.flatMap(({ item }) => customTypeOf(item.data)))
  if (wanted.size === 0) return []
  const { types } = await readShape(ctx.db)
  const absent = [...wanted].filter((type) => !types.has(type))
  const defined = absent.slice(0, Math.max(0, MAX_TYPES - types.size))
  if (defined.length > 0) {
    const definitions = resourceOf(ctx, 'entity_definitions')
    await definitions.operations.upsert?.(
      ctx,
      definitions,
      defined.map((type) => ({ name: type, type, description: 'Defined by an imported file.', attributes: [] })),
    )
  }
  const left = new Set(absent.slice(defined.length))
  return entities.filter(({ item }) => customTypeOf(item.data).some((type) => left.has(type)))
}

/** The entities whose custom types are not defined. */
export async function withUndefinedTypes(
  ctx: Context,
  entities: readonly ParsedEntity[],
): Promise<readonly ParsedEntity[]> {
  const wanted = entities.filter(({ item }) => customTypeOf(item.data).length > 0)
  if (wanted.length === 0) return []
  const { types } = await readShape(ctx.db)
  return wanted.filter(({ item }) => customTypeOf(item.data).some((type) => !types.has(type)))
}

/** Why an entity was not stored. */
export const TOO_MANY_TYPES = `data.custom_entity_type: the type is not defined, and files can define at most ${MAX_TYPES} types`

function customTypeOf(data: Item): string[] {
  const { type, custom_entity_type: custom } = data
  const isName = typeof custom === 'string' && custom.trim() === custom && custom !== ''
  return type === 'custom-entity' && isName ? [custom] : []
}
