import { sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList, uuidList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import { type Contributor, notePresence } from './contributions.ts'
import type { Located } from './outcome.ts'

/**
 * Notes that findings are in a transfer, whatever became of them: something that could not be stored this time is there all the
 * same, and is not taken for gone.
 */
export async function noteFindings(
  ctx: Context,
  contributor: Contributor,
  findings: readonly Located[],
): Promise<void> {
  await noteObservables(ctx, contributor, findings)
  if (!contributor.isOfWhole) return
  const ids = findings.flatMap(({ finding }) => {
    if (finding.kind === 'entity') return finding.entity.isWithdrawn ? [] : (finding.entity.data.id ?? [])
    return finding.kind === 'lost' ? (finding.id ?? []) : []
  })
  await notePresence(ctx, contributor, ids)
  await touchRelationships(ctx, contributor, findings)
}

/** Notes relationships that a feed wrote, and which entity's document holds them, by its STIX id. */
export async function noteRelationships(
  { db }: Context,
  { feed, transfer }: Contributor,
  all: readonly { readonly id: string; readonly holder: string | null }[],
): Promise<void> {
  if (all.length === 0) return
  await sql`
    insert into feed_relationships (feed, relationship, transfer, holder)
    select distinct on (i.id) ${feed}::integer, i.id, ${transfer}::bigint, e.id
    from unnest(
      ${uuidList(all.map(({ id }) => id))}::uuid[], ${textList(all.map(({ holder }) => holder))}::text[]) as i(id, holder)
    left join entities as e on e.stix_id = i.holder
    on conflict (feed, relationship) do update set transfer = excluded.transfer, holder = excluded.holder`.execute(db)
}

async function touchRelationships(
  { db }: Context,
  { feed, transfer }: Contributor,
  findings: readonly Located[],
): Promise<void> {
  const ids = findings.flatMap(({ finding }) =>
    finding.kind === 'relationship' && !finding.relationship.isWithdrawn ? (finding.relationship.id ?? []) : [],
  )
  if (ids.length === 0) return
  await sql`
    update feed_relationships set transfer = ${transfer}::bigint
    where feed = ${feed} and relationship = any(${uuidList(ids)}::uuid[]) and transfer < ${transfer}::bigint`.execute(
    db,
  )
}

async function noteObservables(
  { db }: Context,
  { feed, transfer }: Contributor,
  findings: readonly Located[],
): Promise<void> {
  const named = findings.flatMap(({ finding }) => {
    const found = finding.kind === 'observable' && observableOf(finding.observable.type, finding.observable.value)
    return !found || 'fault' in found ? [] : [found]
  })
  if (named.length === 0) return
  await sql`
    insert into feed_observables (feed, observable, transfer)
    select distinct ${feed}::integer, o.id, ${transfer}::bigint
    from unnest(
      ${textList(named.map(({ type }) => type))}::text[],
      ${textList(named.map(({ value }) => value))}::text[]) as w(type, value)
    join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type
    on conflict (feed, observable) do update set transfer = excluded.transfer`.execute(db)
}
