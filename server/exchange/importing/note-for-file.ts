import { sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import { cameAt } from '../../intelligence/observables/sight.ts'
import type { Import } from './import-batch.ts'
import { type Located, noteOutcomes, type Outcome } from './outcome.ts'

/** Notes what became of the objects of a file: for whoever looks at it, and for a run that goes on after a crash. */
export const noteForFile =
  (file: number, run: string): Import['note'] =>
  async (ctx, outcomes, findings) => {
    await linkFile(ctx, file, findings, outcomes)
    await noteOutcomes(ctx, { file, run }, outcomes)
  }

/** Says which entities a file is about, and which observables it names by themselves. */
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
  const observables = findings.flatMap(({ finding }) => {
    if (finding.kind !== 'observable') return []
    const { observable } = finding
    const found = observableOf(observable.type, observable.value)
    return 'fault' in found ? [] : [found]
  })
  if (observables.length === 0) return
  await sql`
    insert into file_observables (source, target, is_new)
    select distinct ${file}::integer, o.id, ${cameAt(ctx, 'o')} = now()
    from unnest(
      ${textList(observables.map(({ type }) => type))}::text[],
      ${textList(observables.map(({ value }) => value))}::text[]) as w(type, value)
    join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type
    on conflict do nothing`.execute(ctx.db)
}
