import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../background/task.ts'
import { makeId } from '../../engine/ids.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { countSelected } from '../by-query/selection.ts'
import { takeSnapshot } from '../by-query/snapshot.ts'
import { actOnStored } from './act-on-stored.ts'
import { enforcementOf } from './enforce.ts'
import { RULES } from './entity-rule-operations.ts'
import { lackOf } from './owners.ts'
import { currentRules, readRule } from './read-rules.ts'
import { isCandidate, isUnifiedCandidate } from './selection.ts'

const BATCH_SIZE = 500

const NEEDED = ['read entities', 'modify entities', 'modify rules']

/** Applies a rule to existing entities. */
export const entityRuleTask = defineTask({
  type: RULES.type,
  doc: 'Applies an entity rule to the existing entities that its owner sees, in batches. Each rule owns one of these tasks.',
  parameters: z.object({ rule: z.int().describe('The id of the rule.') }),
  isUnique: true,
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    const { rule: id } = job.parameters
    const rule = await readRule(job, id)
    if (!rule) throw new TaskError(`There is no entity rule ${id}.`, { isFinal: true })
    if (!rule.isActive) throw new TaskError('The rule is not active. Activate it first.', { isFinal: true })
    const found = await asOwner(job, rule.owner, NEEDED, 'repeatable read', async (ctx) => {
      const lack = lackOf(rule, ctx.caller as never)
      if (lack !== undefined) throw new TaskError(lack, { isFinal: true })
      const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
      const wanted = await takeSnapshot(ctx, sql`${isSeen} and ${isCandidate(rule)}`)
      const unified = await countSelected(ctx, sql`${isSeen} and ${isUnifiedCandidate(rule)}`)
      if (unified > 0)
        job.log(`Unified entities that were left out: ${unified}. Rules act on their contributors instead.`)
      return wanted
    })
    job.log(`${found.count} entities are compared with the rule.`)
    const result = { judged: 0, matched: 0, changed: 0 }
    for (let from = 0; from < found.count; from += BATCH_SIZE) {
      job.signal.throwIfAborted()
      const done = await runBatch(job, id, rule.owner, found.slice(from, from + BATCH_SIZE))
      result.judged += done.judged
      result.matched += done.matched
      result.changed += done.changed
      job.progress(Math.min(1, (from + BATCH_SIZE) / found.count))
    }
    job.log(`${result.matched} match, ${result.changed} were changed.`)
    const state = await stateOf(job, id)
    for (const line of state) job.log(line)
    return { result, ...(state.length > 0 && { outcome: 'WARNING' as const }) }
  },
})

/** A batch in one transaction. In the first round only the rule of the run acts; others may follow if it changes what they read. */
const runBatch = (job: Job<unknown>, id: number, owner: number | null, ids: readonly string[]) =>
  asOwner(job, owner, NEEDED, 'read committed', async (ctx) => {
    const current = await currentRules(ctx)
    if (!current.rules.some((each) => each.id === id))
      throw new TaskError('The rule was deleted or deactivated during the run.', { isFinal: true })
    const force = await enforcementOf(ctx, current)
    return actOnStored(force, ids, {
      mayBegin: (each) => each.id === id,
      occasion: { write: makeId(), run: job.id },
    })
  })

async function stateOf({ db }: Job<unknown>, id: number): Promise<string[]> {
  const { rows } = await sql<{ problem: string | null; warning: string | null }>`
    select problem, warning from entity_rules where id = ${id}`.execute(db)
  return rows.flatMap(({ problem, warning }) => [problem, warning].filter((line) => line !== null))
}
