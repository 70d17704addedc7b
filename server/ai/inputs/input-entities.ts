import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { requireVisible, withPositions } from '../../intelligence/relational/body-references.ts'
import type { InputObject } from '../asking/input-objects.ts'

/** An entity that goes into a prompt. */
export interface InputEntity extends InputObject {
  readonly kind: 'entities'
  readonly type: string
  readonly description: string
  /** As the caller reads it. */
  readonly row: AnyRow
}

/** The entities that a request names, in its order. Responds 400 with the position of each that the caller does not see. */
export async function inputEntities(ctx: Context, field: string, ids: readonly Id[]): Promise<InputEntity[]> {
  await requireVisible(ctx, 'entities', withPositions(field, ids))
  return (await fetchRows(ctx, resourceOf(ctx, 'entities'), [...new Set(ids)])).map(inputEntity)
}

/** The entity that a request names. */
export async function oneInputEntity(ctx: Context, field: string, id: Id): Promise<InputEntity[]> {
  await requireVisible(ctx, 'entities', [{ at: field, id }])
  return (await fetchRows(ctx, resourceOf(ctx, 'entities'), [id])).map(inputEntity)
}

export function inputEntity(row: AnyRow): InputEntity {
  const { data, meta } = row as unknown as { data: Item; meta: Item }
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    kind: 'entities',
    id: String(row.id),
    title: text(meta.alias) || text(data.title),
    tlp: colourOf(meta.tlp_color),
    type: text(data.type),
    description: text(data.description) || text(data.short_description),
    row,
  }
}

const colourOf = (colour: unknown): Tlp => tlpOf(colour as string | null, 'RED')
