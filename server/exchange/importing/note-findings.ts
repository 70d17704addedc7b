import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'
import { type Contributor, notePresence } from './contributions.ts'
import { observablesOf, storedObservables } from './named-observables.ts'
import type { Located } from './outcome.ts'

/**
 * Records that findings are in a transfer, even those that could not be stored: otherwise they would count as gone.
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

/** Records relationships that a feed wrote, and the STIX id of the entity whose document contains them. */
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
  const named = observablesOf(findings)
  if (named.length === 0) return
  await sql`
    insert into feed_observables (feed, observable, transfer)
    select distinct ${feed}::integer, o.id, ${transfer}::bigint
    from ${storedObservables(named)}
    on conflict (feed, observable) do update set transfer = excluded.transfer`.execute(db)
}
