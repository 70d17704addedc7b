import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Located } from './outcome.ts'

/**
 * Hides objects that have the ids of these findings and that the caller may not see, until the transaction is rolled back: the
 * result of a trial must not reveal that they exist.
 */
export async function hideUnseen(ctx: Context, findings: readonly Located[]): Promise<void> {
  const named = findings.flatMap(({ finding }) => {
    if (finding.kind === 'entity') return [finding.entity.data.id]
    return finding.kind === 'relationship' ? [finding.relationship.data.source, finding.relationship.data.target] : []
  })
  const ids = named.filter((id) => typeof id === 'string')
  if (ids.length === 0) return
  // Objects that the trial itself created have the time of its transaction.
  await sql`
    update entities as t set stix_id = 'aside ' || t.id
    where t.stix_id = any(${ids}::text[]) and t.created_at < now()
      and not ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
  const links = findings.flatMap(({ finding }) =>
    finding.kind === 'relationship' ? (finding.relationship.id ?? []) : [],
  )
  await sql`
    delete from relationships as t
    where t.id = any(${links}::uuid[]) and t.created_at < now()
      and not ${visible(ctx, resourceOf(ctx, 'relationships'))}`.execute(ctx.db)
}
