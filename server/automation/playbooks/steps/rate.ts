import { sql } from 'kysely'
import { z } from 'zod'
import { OBSERVABLE_TYPES } from '../../../domain/observables/types.ts'
import type { Context } from '../../../engine/context.ts'
import { sightOf } from '../../../identity/access/sight.ts'
import { MALICIOUSNESS, type Maliciousness } from '../../../intelligence/entities/observables-in.ts'
import { setMeta } from '../../../intelligence/observables/set-meta.ts'
import { isOwn } from '../../../intelligence/observables/sight.ts'
import { observablesOf, outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep } from '../step.ts'

const parameters = z.object({
  maliciousness: z.enum(MALICIOUSNESS).describe('The verdict to give; unknown takes an own verdict back.'),
  with_verdict: z
    .array(z.enum(MALICIOUSNESS))
    .max(MALICIOUSNESS.length)
    .default([])
    .describe('Only observables that have one of these verdicts, whoever gave it; empty for all.'),
  types: z
    .array(z.enum(OBSERVABLE_TYPES))
    .max(200)
    .default([])
    .describe('Only observables of these types; empty for all.'),
})

/** Gives the observables of the object a verdict, in the source of the owner of the playbook. */
export const rate = defineStep({
  kind: 'rate',
  title: 'Rate observables',
  description:
    'Gives the observable, those of the entity, or the hashes of the file a verdict in the source of the owner of the playbook.',
  outcomes: {
    rated: 'At least one observable has another own verdict now.',
    unchanged: 'All of them had this own verdict already, or there were none to rate.',
    out_of_scope:
      'The owner of the playbook does not see the object, or belongs to no group whose source could give verdicts.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: [],
  permissions: () => ['read extracts', 'modify extracts'],
  act: async (step, { maliciousness, with_verdict, types }) => {
    const { ctx, subject } = step
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    if (sightOf(ctx).home === null) return outOfScope('The owner of the playbook belongs to no group.')
    const { observables, warnings } = await observablesOf(ctx, subject)
    const wanted = observables.filter(
      (each) =>
        (types.length === 0 || types.some((type) => type === each.type)) &&
        (with_verdict.length === 0 || with_verdict.some((level) => level === each.maliciousness)),
    )
    const rated = await countOthers(
      ctx,
      wanted.map(({ id }) => id),
      maliciousness,
    )
    await setMeta(
      ctx,
      wanted.map(({ id }) => ({ id, meta: { maliciousness } })),
    )
    return {
      outcome: rated > 0 ? 'rated' : 'unchanged',
      output: { observables: wanted.length, rated },
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

/** How many of the observables do not have this verdict in the source of the caller. */
async function countOthers(ctx: Context, ids: readonly number[], level: Maliciousness): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from unnest(${ids}::integer[]) as i(id)
    where coalesce((
      select max(r.maliciousness) from observable_records as r where r.observable = i.id and ${isOwn(ctx, sql`r.vis`)}), 'unknown') <> ${level}`.execute(
    ctx.db,
  )
  return rows[0]?.count ?? 0
}
