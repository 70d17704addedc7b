import { sql } from 'kysely'
import { textList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import type { Finding } from '../../formats/finding.ts'
import { type Contributor, idsOfObservables, isOf, noteGone } from './contributions.ts'
import type { Given } from './drafts.ts'
import { KEPT } from './import-entities.ts'
import type { Located, Outcome } from './outcome.ts'
import { markWithdrawn, takeAwayObservables, unlinkObservables } from './take-away.ts'

type Withdrawal = Extract<Finding, { kind: 'withdrawn' }>

/** Takes back what a document says is gone, as far as its feed wrote it. */
export async function importWithdrawals(
  ctx: Context,
  all: readonly Located<Withdrawal>[],
  { contributor, source }: Given,
): Promise<Outcome[]> {
  if (!contributor || !source) return all.map((located) => outcomeOf(located, 'lost', undefined, [NOT_A_FEED]))
  const known = await findOwn(ctx, contributor, source, all)
  if (contributor.isNewest) {
    const entities = all.flatMap(({ finding }) => (finding.observable ? [] : (known.get(finding.id) ?? [])))
    if (contributor.withdrawn !== 'keep') await markWithdrawn(ctx, entities, true)
    // A table tells that a row changed by taking it away, and bringing it again in the next table.
    if (contributor.withdrawn === 'delete') await noteGone(ctx, contributor, entities)
    await takeFromLists(ctx, contributor, all, known, source)
  }
  const note = { keep: KEPT, mark: MARKED, delete: GOING }[contributor.withdrawn]
  return all.map((located) => {
    const { observable, id } = located.finding
    const entity = known.get(id)
    if (observable) return outcomeOf(located, entity ? 'updated' : 'unchanged', entity, [], [TAKEN_OUT])
    return outcomeOf(located, entity && contributor.withdrawn !== 'keep' ? 'updated' : 'unchanged', entity, [], [note])
  })
}

const NOT_A_FEED = 'the row says that it was removed; only feeds follow removals'
const MARKED = 'Its sender withdrew it.'
const GOING = 'Its sender withdrew it; it is deleted unless the next transfer has it again.'
const TAKEN_OUT = 'Its sender took it out of the list.'

const outcomeOf = (
  { position, finding }: Located<Withdrawal>,
  outcome: Outcome['outcome'],
  entity: string | undefined,
  details: readonly string[],
  notes: readonly string[] = [],
): Outcome => ({
  position,
  place: finding.at,
  kind: finding.observable ? 'observable' : 'entity',
  outcome,
  stixId: finding.id,
  entity,
  details,
  notes,
})

/** The entities of these STIX ids that the feed wrote and that are still its own. */
async function findOwn(
  { db }: Context,
  { feed }: Contributor,
  source: string,
  all: readonly Located<Withdrawal>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(all.map(({ finding }) => finding.id))]
  const { rows } = await sql<{ id: string; stix_id: string }>`
    select e.id, e.stix_id
    from entities as e join feed_entities as t on t.entity = e.id and t.feed = ${feed}
    where e.stix_id = any(${textList(ids)}::text[]) and ${isOf(source)}`.execute(db)
  return new Map(rows.map(({ id, stix_id }) => [stix_id, id]))
}

/** Takes observables out of the feed's list; those that had no place in it go by themselves. */
async function takeFromLists(
  ctx: Context,
  { feed }: Contributor,
  all: readonly Located<Withdrawal>[],
  known: ReadonlyMap<string, string>,
  source: string,
): Promise<void> {
  const wanted = all.flatMap(({ finding: { observable, id } }) =>
    observable ? [{ entity: known.get(id) ?? NO_ENTITY, observable }] : [],
  )
  const ids = await idsOfObservables(ctx, wanted)
  const pairs = [...ids].flatMap(([entity, found]) => [...found].map((observable) => ({ entity, observable })))
  const { rows } = await sql<{ entity: string; observable: number }>`
    select t.entity, o.observable
    from feed_entities as t
    cross join unnest(t.observables) as o(observable)
    where t.feed = ${feed} and t.entity = any(${pairs.map(({ entity }) => entity)}::uuid[])
      and o.observable = any(${pairs.map(({ observable }) => observable)}::integer[])`.execute(ctx.db)
  await unlinkObservables(ctx, rows)
  await sql`
    update feed_entities as t
    set observables = array(select unnest(t.observables) except select unnest(${pairs.map(({ observable }) => observable)}::integer[]))
    where t.feed = ${feed} and t.entity = any(${pairs.map(({ entity }) => entity)}::uuid[])`.execute(ctx.db)
  await takeAwayObservables(
    ctx,
    source,
    pairs.map(({ observable }) => observable),
  )
}

const NO_ENTITY = '00000000-0000-0000-0000-000000000000'
