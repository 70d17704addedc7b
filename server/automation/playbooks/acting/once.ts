import { sql } from 'kysely'
import type { StepContext, StepResult } from '../step.ts'

/**
 * Does something once for each key of a step: a second attempt gives the result of the first. For effects that do not tell by themselves that
 * they were there already, such as a comment or a mail.
 */
export async function once(
  { ctx, key, isDryRun }: Pick<StepContext, 'ctx' | 'key' | 'isDryRun'>,
  work: () => Promise<StepResult>,
): Promise<StepResult> {
  // Dry runs share their keys, and would wait for each other.
  if (isDryRun) return work()
  const { rows: known } = await sql<{ result: StepResult }>`
    select result from playbook_effects where key = ${key}`.execute(ctx.db)
  if (known[0]) return known[0].result
  const result = await work()
  // Another attempt that did it meanwhile makes this one fail, with everything that it wrote.
  await sql`
    insert into playbook_effects (key, result) values (${key}, ${JSON.stringify(result)}::jsonb)`.execute(ctx.db)
  return result
}
