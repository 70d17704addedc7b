import { sql } from 'kysely'
import { defineAction } from '../../../engine/action.ts'
import { outputSchema } from '../../../engine/body.ts'
import type { AnyRow, Context } from '../../../engine/context.ts'
import { conflict, notFound } from '../../../engine/errors.ts'
import { logged } from '../../../engine/log.ts'
import { present } from '../../../engine/present.ts'
import { readId } from '../../../engine/query.ts'
import type { Route } from '../../../engine/route.ts'
import { visible } from '../../../engine/select.ts'
import { standard } from '../../../engine/standard.ts'
import { lockConsolidation } from '../lock.ts'
import { assignTogether } from '../manual.ts'
import { ENDINGS } from '../record-events.ts'
import { regroup } from '../regroup.ts'
import { consolidationSuggestions } from './suggestions.ts'

type State = 'open' | 'accepted' | 'refused'

interface Pair {
  readonly id: number
  readonly first: string
  readonly second: string
  readonly state: State
}

interface Decision {
  readonly name: string
  readonly doc: string
  /** The states in which it can be taken, and the one after it. */
  readonly from: State
  readonly to: State
  /** Why it cannot be taken in another state. */
  readonly refusal: (state: State) => string
  readonly act: (ctx: Context, pair: Pair) => Promise<unknown>
}

const isDecided = (state: State): string =>
  state === 'accepted' ? 'The suggestion was already accepted.' : 'The suggestion was already refused: reopen it first.'

const DECISIONS: readonly Decision[] = [
  {
    name: 'accept',
    doc: 'Consolidate the two entities of a suggestion',
    from: 'open',
    to: 'accepted',
    refusal: isDecided,
    act: acceptPair,
  },
  {
    name: 'refuse',
    doc: 'Say that the two entities of a suggestion are not the same, and keep policies from joining them',
    from: 'open',
    to: 'refused',
    refusal: isDecided,
    act: (ctx, { first, second }) => regroup(ctx, [first, second], ENDINGS.refused),
  },
  {
    name: 'reopen',
    doc: 'Forget that the two entities of a suggestion are not the same; policies may join them again',
    from: 'refused',
    to: 'open',
    refusal: (state) => `The suggestion is ${state}: only refused ones can be reopened.`,
    act: (ctx, { first, second }) => regroup(ctx, [first, second]),
  },
]

/** The endpoints with which users decide about suggestions. */
export const suggestionDecisions: readonly Route[] = DECISIONS.map(({ name, doc, ...decision }) => ({
  ...defineAction({
    name: `${name}_consolidation_suggestions`,
    doc,
    tag: 'consolidation_suggestions',
    method: 'POST',
    path: `/consolidation-suggestions/:id/${name}`,
    permission: 'modify entities',
    result: outputSchema(consolidationSuggestions),
    refusals: [404, 409],
    run: async (ctx, _, { params }) => present(ctx, consolidationSuggestions, await decide(ctx, decision, params.id)),
  }),
  guards: () => ['read entities'],
}))

/** Takes a decision, and returns the suggestion as it was decided: what follows from it may delete an open one. */
async function decide(
  ctx: Context,
  { from, to, refusal, act }: Omit<Decision, 'name' | 'doc'>,
  given = '',
): Promise<AnyRow> {
  // Before the row is locked: consolidation takes its locks in this order.
  await lockConsolidation(ctx.db)
  const id = readId(consolidationSuggestions, given)
  const { rows } = await sql<Pair>`
    select t.id, t.first, t.second, t.state from consolidation_suggestions as t
    where t.id = ${id} and ${visible(ctx, consolidationSuggestions)}
    for update of t`.execute(ctx.db)
  const [pair] = rows
  if (!pair) throw notFound(given)
  if (pair.state !== from) throw conflict(refusal(pair.state))
  await setState(ctx, pair, to)
  const row = await standard.get(ctx, consolidationSuggestions, id)
  await act(ctx, pair)
  return row
}

/** Decides before anything is grouped: the grouping replaces open suggestions, and keeps what a person decided. */
async function setState(ctx: Context, { id }: Pair, to: State): Promise<void> {
  const isOpen = to === 'open'
  await sql`
    with changed as (
      update consolidation_suggestions
      set state = ${to}, decided_at = case when not ${isOpen}::boolean then now() end,
        decided_by = case when not ${isOpen}::boolean then nullif(${ctx.caller.id}::integer, 0) end
      where id = ${id}
      returning id
    ), ${logged(ctx, consolidationSuggestions, 'update', sql`changed`)}
    select from changed`.execute(ctx.db)
}

async function acceptPair(ctx: Context, { first, second }: Pair): Promise<void> {
  await assignTogether(ctx, [first, second])
  const { rows } = await sql`
    select from contributors as m join contributors as o on o.unified = m.unified
    where m.entity = ${first} and o.entity = ${second}`.execute(ctx.db)
  if (rows.length === 0)
    throw conflict(
      'The entities cannot be consolidated: their unified entity would have too many contributors, or one of them takes no part in consolidation any more.',
    )
}
