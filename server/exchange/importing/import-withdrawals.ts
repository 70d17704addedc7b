import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { integerList, textList, uuidList } from '../../fast/binary-arrays.ts'
import type { Finding } from '../../formats/finding.ts'
import { type Contributor, idsOfObservables, isOf, noteGone } from './contributions.ts'
import { KEPT } from './entity-plan.ts'
import type { Located, Outcome } from './outcome.ts'
import type { ImportSettings } from './parse-entity.ts'
import { markWithdrawn, retractObservables, unlinkObservables } from './retract.ts'

type Withdrawal = Extract<Finding, { kind: 'withdrawn' }>

/** Removes what a document reports as removed, as far as its feed wrote it. */
export async function importWithdrawals(
  ctx: Context,
  all: readonly Located<Withdrawal>[],
  { contributor, source }: ImportSettings,
): Promise<Outcome[]> {
  if (!contributor || !source) return all.map((located) => outcomeOf(located, 'lost', undefined, [NOT_A_FEED]))
  const known = await findOwn(ctx, contributor, source, all)
  if (contributor.isNewest) {
    const entities = all.flatMap(({ finding }) => (finding.observable ? [] : (known.get(finding.id) ?? [])))
    if (contributor.withdrawn !== 'keep') await markWithdrawn(ctx, entities, true)
    // A table reports a changed row by removing it and adding it again in the next table, so deletion waits for that.
    if (contributor.withdrawn === 'delete') await noteGone(ctx, contributor, entities)
    await removeFromLists(ctx, contributor, all, known, source)
  }
  const note = { keep: KEPT, mark: MARKED, delete: PENDING }[contributor.withdrawn]
  return all.map((located) => {
    const { observable, id } = located.finding
    const entity = known.get(id)
    if (observable) return outcomeOf(located, entity ? 'updated' : 'unchanged', entity, [], [TAKEN_OUT])
    return outcomeOf(located, entity && contributor.withdrawn !== 'keep' ? 'updated' : 'unchanged', entity, [], [note])
  })
}

const NOT_A_FEED = 'the row reports a removal, which only feeds apply'
const MARKED = 'Its sender withdrew it.'
const PENDING = 'Its sender withdrew it. It will be deleted unless the next transfer contains it again.'
const TAKEN_OUT = 'Its sender removed it from the list.'

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

/** The entities with these STIX ids that the feed wrote and that still belong to its source. */
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

/** Unlinks observables from the entity of the feed's list, and removes the feed's source from them. */
async function removeFromLists(
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
  const removed = sql`unnest(
    ${uuidList(pairs.map(({ entity }) => entity))}::uuid[],
    ${integerList(pairs.map(({ observable }) => observable))}::integer[]) as r(entity, observable)`
  const { rows } = await sql<{ entity: string; observable: number }>`
    select r.entity, r.observable
    from ${removed} join feed_entities as t on t.entity = r.entity
    where t.feed = ${feed} and r.observable = any(t.observables)`.execute(ctx.db)
  await unlinkObservables(ctx, rows)
  await sql`
    update feed_entities as t
    set observables = array(
      select o.id from unnest(t.observables) as o(id)
      where not exists (select from ${removed} where r.entity = t.entity and r.observable = o.id))
    where t.feed = ${feed} and t.entity = any(${uuidList(rows.map(({ entity }) => entity))}::uuid[])`.execute(ctx.db)
  await retractObservables(
    ctx,
    source,
    pairs.map(({ observable }) => observable),
  )
}

const NO_ENTITY = '00000000-0000-0000-0000-000000000000'
