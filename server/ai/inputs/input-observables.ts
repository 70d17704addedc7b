import { sql } from 'kysely'
import { TLP } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { lowestRank } from '../../intelligence/observables/sight.ts'
import { requireVisible, withPositions } from '../../intelligence/relational/body-references.ts'
import type { InputObject } from '../asking/input-objects.ts'

/** An observable that goes into a prompt. */
export interface InputObservable extends InputObject {
  readonly kind: 'observables'
  readonly type: string
  readonly value: string
}

/** The observables that a request names, in its order. Responds 400 with the position of each that the caller does not see. */
export async function inputObservables(ctx: Context, field: string, ids: readonly Id[]): Promise<InputObservable[]> {
  if (ids.length === 0) return []
  await requireVisible(ctx, 'observables', withPositions(field, ids))
  const { rows } = await sql<{ id: number; type: string; value: string; rank: number | null }>`
    select t.id, t.type, t.value, ${lowestRank(ctx, 't')} as rank
    from unnest(${[...new Set(ids)]}::integer[]) with ordinality as i(id, position)
    join observables as t on t.id = i.id
    order by i.position`.execute(ctx.db)
  return rows.map(({ id, type, value, rank }) => ({
    kind: 'observables',
    id: String(id),
    title: value,
    // The least restricted way to it counts, as for enrichers: the caller may read it at this colour.
    tlp: TLP[rank ?? TLP.length - 1] ?? 'RED',
    type,
    value,
  }))
}
