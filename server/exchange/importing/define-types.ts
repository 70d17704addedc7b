import type { Context, Item } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import { readShape } from '../../intelligence/shaping/shape.ts'
import type { Draft } from './drafts.ts'

/** So many types can be defined by files: every write of an entity knows all of them. */
const MOST = 1000

/** Defines the custom types that documents bring and nobody has defined; gives the drafts of those for which there is no room. */
export async function defineTypes(ctx: Context, drafts: readonly Draft[]): Promise<readonly Draft[]> {
  const wanted = new Set(drafts.flatMap(({ item }) => customTypeOf(item.data)))
  if (wanted.size === 0) return []
  const { types } = await readShape(ctx.db)
  const absent = [...wanted].filter((type) => !types.has(type))
  const defined = absent.slice(0, Math.max(0, MOST - types.size))
  if (defined.length > 0) {
    const definitions = resourceOf(ctx, 'entity_definitions')
    await definitions.operations.upsert?.(
      ctx,
      definitions,
      defined.map((type) => ({ name: type, type, description: 'Came with a file.', attributes: [] })),
    )
  }
  const left = new Set(absent.slice(defined.length))
  return drafts.filter(({ item }) => customTypeOf(item.data).some((type) => left.has(type)))
}

/** The drafts of types that nobody has defined. */
export async function ofNewTypes(ctx: Context, drafts: readonly Draft[]): Promise<readonly Draft[]> {
  const wanted = drafts.filter(({ item }) => customTypeOf(item.data).length > 0)
  if (wanted.length === 0) return []
  const { types } = await readShape(ctx.db)
  return wanted.filter(({ item }) => customTypeOf(item.data).some((type) => !types.has(type)))
}

/** Why a draft was left out. */
export const NO_ROOM = `data.custom_entity_type: it is not defined, and files define at most ${MOST} types`

function customTypeOf(data: Item): string[] {
  const { type, custom_entity_type: custom } = data
  const isName = typeof custom === 'string' && custom.trim() === custom && custom !== ''
  return type === 'custom-entity' && isName ? [custom] : []
}
