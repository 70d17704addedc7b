import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Rules } from '../enrichers/requests/classify.ts'
import { enqueue } from '../enrichers/requests/enqueue.ts'

/** What a rule wants an enricher to look up. */
export interface Wish {
  readonly rule: number
  readonly enricher: number
  readonly observables: readonly number[]
}

const BATCH_SIZE = 5000

/** The enrichers with these ids, as far as they exist. */
export async function readEnrichers(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Rules>> {
  const { rows } = await sql<Rules>`
    select id, name, supported_observable_types, max_tlp from enrichers where id = any(${ids}::integer[]) order by id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Adds the look-ups that rules of one owner want to the queues, with the sight of that owner, who is the caller. Several rules that want the
 * same look-up share it, and the number of statements does not depend on the number of rules.
 */
export async function ask(
  ctx: Context,
  wishes: readonly Wish[],
  enrichers: ReadonlyMap<number, Rules>,
  run?: string,
): Promise<void> {
  const wanted = new Map<number, Set<number>>()
  for (const { enricher, observables } of wishes) {
    const known = wanted.get(enricher) ?? new Set()
    for (const id of observables) known.add(id)
    wanted.set(enricher, known)
  }
  const all = [...new Set(wishes.flatMap(({ observables }) => observables))].sort((a, b) => a - b)
  const added = new Map<number, Set<number>>()
  for (let from = 0; from < all.length; from += BATCH_SIZE) {
    const queued = await enqueue(ctx, {
      enrichers: [...wanted.keys()].flatMap((id) => enrichers.get(id) ?? []),
      observables: all.slice(from, from + BATCH_SIZE),
      run,
      isAsked: (enricher, observable) => wanted.get(enricher)?.has(observable) === true,
    })
    for (const { enricher, observable } of queued.added) {
      const known = added.get(enricher) ?? new Set()
      added.set(enricher, known.add(observable))
    }
  }
  await count(ctx, wishes, added)
}

/** Counts for each rule the look-ups that were added because of it. */
async function count(
  { db }: Context,
  wishes: readonly Wish[],
  added: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<void> {
  const counts = new Map<number, number>()
  for (const { rule, enricher, observables } of wishes) {
    const fresh = observables.filter((id) => added.get(enricher)?.has(id)).length
    if (fresh > 0) counts.set(rule, (counts.get(rule) ?? 0) + fresh)
  }
  if (counts.size === 0) return
  await sql`
    with counted as (
      select r.id, i.count
      from unnest(${[...counts.keys()]}::integer[], ${[...counts.values()]}::integer[]) as i(id, count)
      join enrichment_rules as r on r.id = i.id
      order by r.id
      for no key update of r
    )
    update enrichment_rules as r set enqueued_count = r.enqueued_count + c.count, last_enqueued_at = now()
    from counted as c
    where r.id = c.id`.execute(db)
}
