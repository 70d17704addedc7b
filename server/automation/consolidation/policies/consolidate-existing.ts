import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import { causedBy } from '../../../engine/cause.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import { MATCHED_TYPES, MAX_KEY_MEMBERS } from '../matching/keys.ts'
import { ENDINGS } from '../record-events.ts'
import { type Counts, regroupAll } from '../regroup-all.ts'
import { DISSOLUTION, POLICIES } from './policy-task.ts'

/** What a run logs of keys that join nothing. */
const MAX_LOGGED_KEYS = 50

/** Consolidates the entities that a policy covers, and takes apart what it covers no more. */
export const consolidateExisting = defineTask({
  type: POLICIES.type,
  doc: 'Consolidates all existing entities that a policy covers, as its configurations say.',
  parameters: z.object({ policy: z.int().describe('The id of the policy.') }),
  isUnique: true,
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    const { policy } = job.parameters
    const { rows } = await sql`select from consolidation_rules where id = ${policy}`.execute(job.db)
    if (rows.length === 0) throw new TaskError(`There is no consolidation policy ${policy}.`, { isFinal: true })
    const counts = await regroupAll(job, sql`${coveredBy(policy)} union ${belongingTo([policy])}`, {
      cause: causedBy('consolidation', policy, [job.cause]),
    })
    return finish(job, policy, counts)
  },
})

/** Takes apart what deleted policies consolidated. What another policy covers as well stays together, or is joined by that one. */
export const dissolveUnified = defineTask({
  type: DISSOLUTION.type,
  doc: 'Takes apart the unified entities of consolidation policies that were deleted.',
  parameters: z.object({ policies: z.array(z.int()).describe('The ids of the policies.') }),
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    const { policies } = job.parameters
    const counts = await regroupAll(job, belongingTo(policies), {
      cause: causedBy('consolidation', policies.join(), [job.cause]),
      reason: ENDINGS.abolished,
    })
    return { result: resultOf(counts) }
  },
})

/** The entities that the configurations of a policy name. */
const coveredBy = (policy: number): RawBuilder<unknown> => sql`
  select e.id
  from entities as e
  where e.type = any(${MATCHED_TYPES}::text[]) and not e.is_unified and not e.is_unresolved and exists (
    select from consolidation_configurations as c
    where c.policy_id = ${policy} and e.type = any(c.entity_types) and (
      not exists (select from consolidation_configuration_sources as l where l.source = c.id)
      or ${sourceOf(sql`e.vis`)} in (
        select s.number from consolidation_configuration_sources as l join sources as s on s.id = l.target
        where l.source = c.id)))`

/** The entities that belong to policies according to what is stored. */
const belongingTo = (policies: readonly number[]): RawBuilder<unknown> => sql`
  select s.entity as id from match_subjects as s where s.policy = any(${policies}::integer[])
  union
  select m.entity from contributors as m join unified_entities as u on u.entity = m.unified
  where u.policy = any(${policies}::integer[])`

const resultOf = ({ overgrown, ...counts }: Counts) => counts

interface SwitchedOff {
  readonly key: string
  readonly members: number
}

/** Says what did not work, in the log of the run and, without names, at the policy. */
async function finish(job: Job<unknown>, policy: number, counts: Counts): Promise<Outcome> {
  const { rows } = await sql<SwitchedOff>`
    select o.key, o.members from switched_off_keys as o
    where exists (
      select from match_keys as k join match_subjects as s on s.entity = k.entity
      where k.key = o.key and s.policy = ${policy})
    order by o.members desc, o.key`.execute(job.db)
  const warnings = [
    ...(rows.length > 0
      ? [`${rows.length} keys are switched off, because more than ${MAX_KEY_MEMBERS} entities share each of them.`]
      : []),
    ...(counts.full > 0
      ? [
          `${counts.full} keys joined only some of their entities, because a unified entity would have too many contributors.`,
        ]
      : []),
    ...(counts.overgrown.has(policy)
      ? ['Some entities are connected with too many others, and are joined only by users.']
      : []),
  ]
  const { judged, joined, groups, suggestions, left } = counts
  job.log(
    `${judged} entities were compared. ${joined} joined unified entities, ${groups} of which are new, and ${left} left theirs. There are ${suggestions} new suggestions.`,
  )
  for (const warning of warnings) job.log(warning)
  for (const { key, members } of rows.slice(0, MAX_LOGGED_KEYS)) job.log(`${members} entities share the key '${key}'.`)
  if (rows.length > MAX_LOGGED_KEYS) job.log(`${rows.length - MAX_LOGGED_KEYS} other keys are switched off.`)
  const warning = warnings.length > 0 ? warnings.join(' ') : null
  await sql`
    update consolidation_rules set warning = ${warning}
    where id = ${policy} and warning is distinct from ${warning}`.execute(job.db)
  return { result: resultOf(counts), ...(warning !== null && { outcome: 'WARNING' as const }) }
}
