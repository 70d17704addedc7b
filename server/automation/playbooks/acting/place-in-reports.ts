import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import type { Link } from '../../../engine/reference.ts'
import { resourceOf } from '../../../engine/select.ts'
import { sightOf } from '../../../identity/access/sight.ts'
import { linkEntities } from '../../../intelligence/observables/entity-links.ts'
import type { RelationshipItem } from '../../../intelligence/relationships/write-relationships.ts'
import type { Subject } from '../step.ts'
import { findLinked, leftOut } from './find-linked.ts'
import { NOWHERE, type Placed } from './places.ts'

/** The key of relationships from a report to what it is about, as STIX documents are imported. */
const CONTAINS = 'contains'

/** Adds an entity to reports by relationships, or an observable by links. */
export async function placeInReports(
  ctx: Context,
  { collection, id }: Subject,
  wanted: readonly Link[],
): Promise<Placed> {
  if (collection === 'files' || wanted.length === 0) return NOWHERE
  const found = await findLinked(ctx, 'entities', wanted)
  const { rows } = await sql<{ id: string; is_report: boolean; is_known: boolean }>`
    select e.id, e.data ->> 'type' = 'report' and not e.is_unified and e.id::text <> ${id} as is_report, ${
      collection === 'entities'
        ? sql`exists (
            select from relationships as r
            where r.source = e.id and r.target = ${id}::uuid and r.key = ${CONTAINS})`
        : sql`exists (select from entity_observables as l where l.source = e.id and l.target = ${id}::integer)`
    } as is_known
    from entities as e
    where e.id = any(${found.ids}::uuid[])
    order by e.id`.execute(ctx.db)
  const reports = rows.filter(({ is_report }) => is_report)
  const changed = reports.filter(({ is_known }) => !is_known).map((row) => row.id)
  const { home } = sightOf(ctx)
  if (collection === 'observables') {
    await linkEntities(
      ctx,
      changed.map((entity) => ({ id: Number(id), entity })),
    )
  } else if (home !== null && changed.length > 0) {
    const items = changed.map(
      (report): RelationshipItem => ({ data: { source: report, key: CONTAINS, target: id }, sources: [{ id: home }] }),
    )
    await resourceOf(ctx, 'relationships').operations.upsert?.(ctx, resourceOf(ctx, 'relationships'), items)
  }
  const others = rows.filter(({ is_report }) => !is_report)
  return {
    changed,
    reached: reports.length,
    warnings: [
      ...leftOut('report', found),
      ...others.map(
        (other) => `The entity '${other.id}' was left out: it is no report that something can be added to.`,
      ),
    ],
  }
}
