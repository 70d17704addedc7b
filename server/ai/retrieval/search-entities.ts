import type { Context } from '../../engine/context.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { planList } from '../../engine/query.ts'
import { resourceOf } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { type InputEntity, inputEntity } from '../inputs/input-entities.ts'

interface Found {
  readonly entities: readonly InputEntity[]
  /** How many match in all; an estimate if they are many. */
  readonly total: number
}

/** The first entities that match a query in the search language, among those that the caller sees. */
export async function searchEntities(ctx: Context, query: string, sort: string, limit: number): Promise<Found> {
  const resource = resourceOf(ctx, 'entities')
  const plan = planList(resource, { query: [query], sort: [sort], limit: [String(limit)], attributes: ['id'] })
  const { rows, total } = await (resource.operations.list ?? standard.list)(ctx, resource, plan)
  const ids = rows.map(({ id }) => String(id))
  return { entities: (await fetchRows(ctx, resource, ids)).map(inputEntity), total }
}
