import { type SqlBool, sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { keyOf as visibilityKey } from '../../identity/access/visibility.ts'
import { notedByKey } from '../../intelligence/observables/noted.ts'
import { maliciousness } from '../../intelligence/observables/sight.ts'
import type { Given } from './drafts.ts'
import type { Located, Outcome } from './outcome.ts'

type ObservableFinding = Extract<Finding, { kind: 'observable' }>

interface Named {
  readonly type: string
  readonly value: string
  readonly maliciousness?: string | undefined
}

/** By what two observables are the same. */
export const keyOf = ({ type, value }: Named): string => `${type} ${value}`

/**
 * Stores observables of a document that belong to no entity; those that are there already keep their sources. Those that a feed
 * brings get its source beside the ones that they have.
 */
export async function importObservables(
  ctx: Context,
  all: readonly Located<ObservableFinding>[],
  given: Given,
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
      return { ...about, outcome: 'refused', details: [each ? `${each.field}: ${each.fault}` : 'It is none.'] }
    }
    const isTouched = isNews(each) || joined.has(keyOf(each))
    const outcome = !known.has(keyOf(each)) ? 'created' : isTouched ? 'updated' : 'unchanged'
    return { ...about, outcome, details: finding.losses ?? [] }
  })
}

/**
 * How malicious those are that the caller knows already. In a trial, that is what the user knows who runs it, and what the trial itself has
 * brought so far: the feed also sees its own records above the user's colour.
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
    from unnest(
      ${textList(wanted.map(({ type }) => type))}::text[],
      ${textList(wanted.map(({ value }) => value))}::text[]) as w(type, value)
    join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type
    where ${triedFor ? sql`(${isSeen} or ${cameWithTrial})` : isSeen}`.execute(ctx.db)
  return new Map(rows.map((row) => [keyOf(row), row.maliciousness]))
}

/** Whether the transaction itself brought the observable `o`: what it writes has the time of its beginning. */
const cameWithTrial = sql<SqlBool>`(
  exists (select from observable_records as own where own.observable = o.id and own.created_at = now())
  or exists (
    select from entity_observables as l join entities as e on e.id = l.source
    where l.target = o.id and e.last_updated_at = now()))`

/** Adds a source to observables, and gives those that did not have it. */
async function addSource(ctx: Context, wanted: readonly Named[], source: string): Promise<Set<string>> {
  const { rows } = await sql<Named>`
    with known as (
      select o.id, o.type, o.value
      from unnest(
        ${textList(wanted.map(({ type }) => type))}::text[],
        ${textList(wanted.map(({ value }) => value))}::text[]) as w(type, value)
      join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type
    ), joined as (
      insert into observable_records (observable, vis)
      select known.id, ${visibilityKey(sql`s.number`, sql`0`)} from known cross join sources as s where s.id = ${source} order by 1
      on conflict do nothing
      returning observable as id, vis
    ), noted as (${notedByKey(ctx, 'create', sql`joined`)})
    select known.type, known.value from known join joined on joined.id = known.id`.execute(ctx.db)
  return new Set(rows.map(keyOf))
}
