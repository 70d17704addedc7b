import { type SqlBool, sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { keyOf as visibilityKey } from '../../identity/access/visibility.ts'
import { loggedByKey } from '../../intelligence/observables/logged.ts'
import { maliciousness } from '../../intelligence/observables/sight.ts'
import { type NamedObservable, storedObservables } from './named-observables.ts'
import type { Located, Outcome } from './outcome.ts'
import type { ImportSettings } from './parse-entity.ts'

type ObservableFinding = Extract<Finding, { kind: 'observable' }>

interface Named extends NamedObservable {
  readonly maliciousness?: string | undefined
}

/** The key that two mentions of the same observable share. */
export const keyOf = ({ type, value }: Named): string => `${type} ${value}`

/**
 * Stores observables of a document that belong to no entity. Known ones keep their sources; an import for a feed adds its source to
 * them.
 */
export async function importObservables(
  ctx: Context,
  all: readonly Located<ObservableFinding>[],
  given: ImportSettings,
  triedFor?: Seeing,
): Promise<Outcome[]> {
  const resource = resourceOf(ctx, 'observables')
  const read = all.map(({ finding: { observable } }) => {
    const found = observableOf(observable.type, observable.value)
    return 'fault' in found ? found : { ...found, maliciousness: observable.maliciousness }
  })
  const good = read.flatMap((each) => ('fault' in each ? [] : [each]))
  const known = await knownAmong(ctx, good, triedFor)
  const distinct = [...new Map(good.map((each) => [keyOf(each), each])).values()]
  const isNews = (each: Named) => {
    const before = known.get(keyOf(each))
    return before === undefined || (each.maliciousness !== undefined && each.maliciousness !== before)
  }
  const news = distinct.filter(isNews)
  const items = news.map(({ type, value, maliciousness }) => ({
    type,
    value,
    ...(maliciousness && { meta: { maliciousness } }),
    ...(given.source && !known.has(keyOf({ type, value })) && { sources: [{ id: given.source }] }),
  }))
  if (items.length > 0) await resource.operations.upsert?.(ctx, resource, items)
  const joined = given.isOwnOnly && given.source ? await addSource(ctx, distinct, given.source) : new Set<string>()
  return all.map(({ position, finding }, i): Outcome => {
    const about = { position, place: finding.at, kind: 'observable' as const }
    const each = read[i]
    if (!each || 'fault' in each) {
      return {
        ...about,
        outcome: 'refused',
        details: [each ? `${each.field}: ${each.fault}` : 'It is not an observable.'],
      }
    }
    const isTouched = isNews(each) || joined.has(keyOf(each))
    const outcome = !known.has(keyOf(each)) ? 'created' : isTouched ? 'updated' : 'unchanged'
    return { ...about, outcome, details: finding.losses ?? [] }
  })
}

/**
 * The maliciousness of observables that the caller already knows. In a trial, these are the ones that its user sees and those that the
 * trial itself has stored: the feed also sees its own records above the user's colour.
 */
export async function knownAmong(
  ctx: Context,
  wanted: readonly Named[],
  triedFor?: Seeing,
): Promise<Map<string, string>> {
  const knower = triedFor ? { ...ctx, caller: triedFor } : ctx
  const isSeen = visible(knower, resourceOf(ctx, 'observables'), 'o')
  const { rows } = await sql<Named & { maliciousness: string }>`
    select o.type, o.value, ${maliciousness(knower, 'o')} as maliciousness
    from ${storedObservables(wanted)}
    where ${triedFor ? sql`(${isSeen} or ${isFromTrial})` : isSeen}`.execute(ctx.db)
  return new Map(rows.map((row) => [keyOf(row), row.maliciousness]))
}

/** Whether this transaction stored the observable `o`: its writes have the time at which it began. */
const isFromTrial = sql<SqlBool>`(
  exists (select from observable_records as own where own.observable = o.id and own.created_at = now())
  or exists (
    select from entity_observables as l join entities as e on e.id = l.source
    where l.target = o.id and e.last_updated_at = now()))`

/** Adds a source to observables, and gives the keys of those that did not have it. */
async function addSource(ctx: Context, wanted: readonly Named[], source: string): Promise<Set<string>> {
  const { rows } = await sql<Named>`
    with known as (
      select o.id, o.type, o.value
      from ${storedObservables(wanted)}
    ), joined as (
      insert into observable_records (observable, vis)
      select known.id, ${visibilityKey(sql`s.number`, sql`0`)} from known cross join sources as s where s.id = ${source} order by 1
      on conflict do nothing
      returning observable as id, vis
    ), noted as (${loggedByKey(ctx, 'create', sql`joined`)})
    select known.type, known.value from known join joined on joined.id = known.id`.execute(ctx.db)
  return new Set(rows.map(keyOf))
}
