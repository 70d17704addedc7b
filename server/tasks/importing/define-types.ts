import type { Context, Item } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import type { EntityItem } from '../../resources/entities/compose.ts'
import { readShape } from '../../resources/shaping/shape.ts'

/** Defines the custom types of entities that documents bring and nobody has defined yet; gives their names. */
export async function defineTypes(ctx: Context, items: readonly EntityItem[]): Promise<string[]> {
  const wanted = new Set(items.flatMap(({ data }) => customTypeOf(data)))
  if (wanted.size === 0) return []
  const { types } = await readShape(ctx.db)
  const absent = [...wanted].filter((type) => !types.has(type))
  if (absent.length === 0) return []
  const definitions = resourceOf(ctx, 'entity_definitions')
  await definitions.operations.upsert?.(
    ctx,
    definitions,
    absent.map((type) => ({ name: type, type, description: 'Came with a file.', attributes: [] })),
  )
  return absent
}

function customTypeOf(data: Item): string[] {
  const { type, custom_entity_type: custom } = data
  return type === 'custom-entity' && typeof custom === 'string' && custom.trim() === custom && custom !== ''
    ? [custom]
    : []
}
