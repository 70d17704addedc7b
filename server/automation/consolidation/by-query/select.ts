import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { badRequest, conflict } from '../../../engine/errors.ts'
import { string } from '../../../engine/field.ts'
import { toId } from '../../../engine/reference.ts'
import { and, resourceOf, visible } from '../../../engine/select.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { type Selection, selectedEntities } from '../../../intelligence/by-query/selection.ts'
import { MAX_CONTRIBUTORS } from '../matching/blocks.ts'
import { MATCHED_TYPES } from '../matching/keys.ts'

const MAX_LISTED = 1000

/** Entities that are listed, instead of found or in addition. */
export const listed = {
  entities: z
    .array(string(1), { error: 'must be a list of ids or URLs of entities' })
    .max(MAX_LISTED)
    .default([])
    .describe('Ids or URLs of entities, instead of a query or in addition.'),
}

/** What is selected: by a query, as a list, or both. */
export type Chosen = Selection & { readonly entities: readonly string[] }

/** What an operation does, or would do. */
export interface Plan {
  /** How many entities it changes. */
  readonly count: number
  readonly groups: readonly { readonly type: string; readonly contributors: number }[]
  readonly refused: readonly { readonly reason: string; readonly count: number }[]
}

/** The plan as a schema. */
export const plan = z.object({
  count: z.int().describe('How many entities would be changed.'),
  groups: z.array(z.object({ type: z.string(), contributors: z.int() })),
  refused: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .describe('Selected entities that would not be changed.'),
})

/** The ids of listed entities. Responds 400 with those that the caller cannot see. */
export async function idsOf(ctx: Context, entities: readonly string[]): Promise<readonly string[]> {
  if (entities.length === 0) return []
  const ids = entities.map((entity) => toId('entities', entity)?.toString())
  const known = ids.filter((id) => id !== undefined)
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where t.id = any(${uuidList(known)}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
  const seen = new Set(rows.map(({ id }) => id))
  const faults = entities.flatMap((entity, i) => {
    const id = ids[i]
    return id !== undefined && seen.has(id) ? [] : [`entities[${i}]: there is no '${entity}'`]
  })
  if (faults.length > 0) throw badRequest(faults)
  return rows.map(({ id }) => id)
}

/** The entities `t` that are selected and visible. */
export async function isChosen(ctx: Context, { entities, ...selection }: Chosen): Promise<RawBuilder<SqlBool>> {
  const hasQuery = selection.entities_query !== null || selection.relational_query !== null
  if (!hasQuery && entities.length === 0) {
    throw badRequest('entities_query: is required, unless there is a relational_query or a list of entities')
  }
  const isListed = sql<SqlBool>`t.id = any(${uuidList(entities)}::uuid[])`
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  if (!hasQuery) return and([isSeen, isListed])
  return sql<SqlBool>`((${isListed} and ${isSeen}) or (${await selectedEntities(ctx, selection)}))`
}

/** The selected entities as rows of `id`; instead of a unified entity, its contributors. */
const contributorsIn = (isSelected: RawBuilder<SqlBool>): RawBuilder<unknown> => sql`
  select t.id from entities as t where not t.is_unified and (${isSelected})
  union
  select m.entity from entities as t join contributors as m on m.unified = t.id where t.is_unified and (${isSelected})`

interface Counted {
  readonly type: string
  readonly reason: string | null
  readonly count: number
  readonly ids: string[]
}

/** The groups to make of selected entities, one for each type. */
export async function planJoining(
  ctx: Context,
  chosen: Chosen,
): Promise<Plan & { readonly members: readonly (readonly string[])[] }> {
  const { rows } = await sql<Counted>`
    with chosen as materialized (${contributorsIn(await isChosen(ctx, chosen))})
    select j.type, j.reason, count(*)::integer as count, (array_agg(j.id))[1 : ${sql.lit(MAX_CONTRIBUTORS)}] as ids
    from (
      select e.id, e.type, case
        when e.type <> all(${MATCHED_TYPES}::text[]) then 'Entities of the type ' || e.type || ' cannot be consolidated.'
        when e.is_unresolved then 'Placeholders cannot be consolidated.'
        when e.is_withdrawn then 'Withdrawn entities cannot be consolidated.' end as reason
      from chosen as c join entities as e on e.id = c.id
    ) as j
    group by j.type, j.reason
    order by j.type, j.reason`.execute(ctx.db)
  const able = rows.filter(({ reason }) => reason === null)
  const large = able.filter(({ count }) => count > MAX_CONTRIBUTORS)
  if (large.length > 0) {
    throw badRequest(
      large.map(
        ({ type, count }) =>
          `${count} entities of the type ${type} are selected; a unified entity has at most ${MAX_CONTRIBUTORS} contributors`,
      ),
    )
  }
  const groups = able.filter(({ count }) => count > 1)
  const alone = able
    .filter(({ count }) => count === 1)
    .map(({ type }) => ({ reason: `Only one entity of the type ${type} is selected.`, count: 1 }))
  const refused = [...rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])), ...alone]
  if (groups.length === 0)
    throw conflict(['At least two entities of one type are needed.', ...refused.map(({ reason }) => reason)].join(' '))
  return { ...planOf(groups), refused: merged(refused), members: groups.map(({ ids }) => ids) }
}

/** The contributors among selected entities. Of what the caller does not see, nothing is known. */
export async function planParting(ctx: Context, chosen: Chosen): Promise<Plan> {
  const { rows } = await sql<Omit<Counted, 'ids'>>`
    with chosen as materialized (${contributorsIn(await isChosen(ctx, chosen))})
    select e.type, case when m.entity is null then 'The entity contributes to no unified entity.' end as reason, count(*)::integer as count
    from chosen as c join entities as e on e.id = c.id left join (${seenMemberships(ctx)}) as m on m.entity = c.id
    group by 1, 2
    order by 1, 2`.execute(ctx.db)
  const groups = rows.filter(({ reason }) => reason === null)
  if (groups.length === 0) throw conflict('None of the selected entities contributes to a unified entity.')
  const refused = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]))
  return { ...planOf(groups), refused: merged(refused) }
}

/** The contributors among selected entities, as a query for their ids. */
export const partingEntities = async (ctx: Context, chosen: Chosen): Promise<RawBuilder<unknown>> => sql`
  select c.id from (${contributorsIn(await isChosen(ctx, chosen))}) as c
  where c.id in (select m.entity from (${seenMemberships(ctx)}) as m)`

const seenMemberships = (ctx: Context): RawBuilder<unknown> => sql`
  select m.entity from contributors as m join entities as u on u.id = m.unified where ${holdsKey(ctx, sql`u.vis`)}`

const planOf = (groups: readonly Pick<Counted, 'type' | 'count'>[]): Omit<Plan, 'refused'> => ({
  count: groups.reduce((sum, { count }) => sum + count, 0),
  groups: groups.map(({ type, count }) => ({ type, contributors: count })),
})

/** Adds up what is refused for the same reason. */
function merged(refused: Plan['refused']): Plan['refused'] {
  const counts = new Map<string, number>()
  for (const { reason, count } of refused) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts].map(([reason, count]) => ({ reason, count }))
}
