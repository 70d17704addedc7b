import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { createdAt } from '../../intelligence/observables/sight.ts'
import type { Import } from './import-batch.ts'
import { observablesOf, storedObservables } from './named-observables.ts'
import { type Located, noteOutcomes, type Outcome } from './outcome.ts'

/** Records the outcomes of a file, for its readers and for a run that resumes after a crash. */
export const noteForFile =
  (file: number, run: string): Import['note'] =>
  async (ctx, outcomes, findings) => {
    await linkFile(ctx, file, findings, outcomes)
    await noteOutcomes(ctx, { file, run }, outcomes)
  }

/** Links a file to the entities that it contains, and to its observables that belong to no entity. */
async function linkFile(
  ctx: Context,
  file: number,
  findings: readonly Located[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const entities = outcomes.filter(({ entity, outcome }) => entity !== undefined && outcome !== 'refused')
  if (entities.length > 0) {
    await sql`
      insert into file_entities (source, target, is_new)
      select distinct on (i.target) ${file}::integer, i.target, i.is_new
      from unnest(
        ${entities.map(({ entity }) => entity)}::uuid[],
        ${entities.map(({ outcome }) => outcome === 'created')}::boolean[]) as i(target, is_new)
      order by i.target, i.is_new desc
      on conflict do nothing`.execute(ctx.db)
  }
  const observables = observablesOf(findings)
  if (observables.length === 0) return
  await sql`
    insert into file_observables (source, target, is_new)
    select distinct ${file}::integer, o.id, ${createdAt(ctx, 'o')} = now()
    from ${storedObservables(observables)}
    on conflict do nothing`.execute(ctx.db)
}
