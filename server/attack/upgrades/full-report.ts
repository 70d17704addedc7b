import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Candidate } from './candidates.ts'
import type { ChangeReport } from './change-report.ts'
import { isSeen, isUsed, type Uses, usesOf } from './uses.ts'

type StoredReport = ChangeReport & { readonly candidates: readonly Candidate[] }

/** A report with what uses the nodes that change, as far as the caller sees it. */
export interface FullReport extends ChangeReport {
  readonly uses: readonly (Candidate & Uses)[]
  readonly renamed_uses: readonly (ChangeReport['renamed'][number] & Uses)[]
}

const NONE: Uses = { entities: 0, annotations: 0, layers: 0, links: 0, queries: [] }

/** The report of a load. What it re-mapped counts as well. */
export async function fullReport(ctx: Context, load: number): Promise<FullReport> {
  const { rows } = await sql<{ report: StoredReport }>`
    select report from framework_loads where id = ${load}`.execute(ctx.db)
  if (!rows[0]) throw new TypeError(`There is no load ${load}.`)
  const { candidates, ...report } = rows[0].report
  const uses = await usesOf(
    ctx,
    [...candidates, ...report.renamed].map(({ id }) => id),
  )
  const remapped = await remappedOf(ctx, load)
  const usesFor = (id: string): Uses => {
    const now = uses.get(id) ?? NONE
    const before = remapped.get(id)
    return before ? { ...now, entities: now.entities + before.entities, links: now.links + before.links } : now
  }
  const isShown = (all: Uses) => isUsed(all) || all.queries.length > 0
  return {
    ...report,
    uses: candidates.map((each) => ({ ...each, ...usesFor(each.id) })).filter(isShown),
    renamed_uses: report.renamed.map((each) => ({ ...each, ...usesFor(each.id) })).filter(isShown),
  }
}

/** What a load re-mapped, by the nodes that it replaced. */
async function remappedOf(ctx: Context, load: number) {
  const { rows } = await sql<{ node: string; entities: number; links: number }>`
    select r.node, count(t.id) as entities, count(r.link) as links
    from framework_remappings as r left join entities as t on t.id = r.entity and ${isSeen(ctx, 'entities')}
    join framework_loads as l on l.id = r.load
    where r.load = ${load} and l.state = 'loaded' and r.node <> ''
    group by 1`.execute(ctx.db)
  return new Map(rows.map((row) => [row.node, row]))
}
