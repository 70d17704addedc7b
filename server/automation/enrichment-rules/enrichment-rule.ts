import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import type { Rules } from '../enrichers/requests/classify.ts'
import { ENRICH_PERMISSIONS } from '../enrichers/runs/enrich-tasks.ts'
import { ask } from './ask.ts'
import { startChains } from './chains.ts'
import type { Scope } from './criteria.ts'
import { findInScope } from './match.ts'

const BATCH_SIZE = 1000
/** The look-ups are the rest of the progress. */
const SHARE_OF_SCAN = 0.1

interface Rule extends Scope {
  readonly id: number
  readonly owner: number | null
  readonly is_active: boolean
  readonly is_retroactive: boolean
  readonly stop_at: string | null
}

type Used = Rules & { readonly is_active: boolean }

/** Looks up the observables of existing data. */
export const enrichmentRule = defineTask({
  type: 'enrichment-rule',
  doc: 'Looks up the observables of existing data that a retroactive enrichment rule matches, with the permissions of the user who last saved it.',
  parameters: z.object({ rule: z.int().describe('The id of the rule.') }),
  isUnique: true,
  run: async (job) => {
    const rule = await readRule(job, job.parameters.rule)
    const all = await readUsed(job, rule.id)
    const enrichers = all.filter(({ is_active }) => is_active)
    if (enrichers.length === 0)
      throw new TaskError('The rule has no active enricher. Activate one, or add one to the rule.', { isFinal: true })
    for (const { name } of all.filter((each) => !enrichers.includes(each))) {
      job.log(`The enricher '${name}' is not active and is left out.`)
    }
    return lookUpExisting(job, rule, enrichers)
  },
})

/** Adds the look-ups to the queues of the enrichers, which end the run when all of them have ended. */
async function lookUpExisting(job: Job<unknown>, rule: Rule, enrichers: readonly Rules[]): Promise<Outcome> {
  const types = [...new Set(enrichers.flatMap(({ supported_observable_types }) => supported_observable_types))]
  const ids = await asOwner(job, rule.owner, ENRICH_PERMISSIONS, 'repeatable read', async (ctx) => {
    await sql`set local statement_timeout = '10min'`.execute(ctx.db)
    return findInScope(ctx, rule, types)
  })
  const known = new Map(enrichers.map((each) => [each.id, each]))
  const add = async (ctx: Context, observables: readonly number[]): Promise<void> => {
    if (rule.stop_at !== null)
      return startChains(ctx.db, [{ rule: rule.id, observables }], job.cause?.depth ?? 0, job.id)
    const wishes = enrichers.map(({ id }) => ({ rule: rule.id, enricher: id, observables }))
    await ask(ctx, wishes, known, job.id)
  }
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    job.signal.throwIfAborted()
    const observables = ids.slice(from, from + BATCH_SIZE)
    await asOwner(job, rule.owner, ENRICH_PERMISSIONS, 'read committed', (ctx) => add(ctx, observables))
    job.progress((SHARE_OF_SCAN * Math.min(ids.length, from + BATCH_SIZE)) / ids.length)
  }
  job.log(`${ids.length} observables match and are looked up with ${enrichers.map(({ name }) => name).join(', ')}.`)
  return { result: null, outcome: 'WAITING' }
}

async function readRule({ db }: Job<unknown>, id: number): Promise<Rule> {
  const { rows } = await sql<Rule>`
    select id, owner, is_active, is_retroactive, stop_at, criteria, time_field, time_period
    from enrichment_rules where id = ${id}`.execute(db)
  const [rule] = rows
  const fault = !rule
    ? `There is no enrichment rule ${id}.`
    : !rule.is_active
      ? 'The rule is not active. Activate it first.'
      : rule.is_retroactive
        ? undefined
        : 'The rule is for new data only. Set is_retroactive to look up existing data.'
  if (!rule || fault) throw new TaskError(fault ?? '', { isFinal: true })
  return rule
}

/** The enrichers of a rule, in its order. */
async function readUsed({ db }: Job<unknown>, rule: number): Promise<readonly Used[]> {
  const { rows } = await sql<Used>`
    select e.id, e.name, e.supported_observable_types, e.max_tlp, e.is_active
    from enrichment_rule_enrichers as l join enrichers as e on e.id = l.target
    where l.source = ${rule}
    order by l.position, e.id`.execute(db)
  return rows
}
