import { queryOptions } from '@tanstack/react-query'
import { CallError, call } from '../../api/call.ts'
import type { TaskRun } from '../../api/resources.ts'
import { waitForRun } from '../../background/run-queries.ts'
import { entityTypeName } from '../../domain/entity-types.ts'

/** Joins entities, or takes unified entities apart. */
export type ConsolidationAction = 'consolidate' | 'deconsolidate'

/** The entities to join or to take apart. */
export type ConsolidationTarget = { readonly entities: readonly string[] } | { readonly entities_query: string }

/** What an action would do. */
export interface ConsolidationPlan {
  readonly count: number
  readonly groups: readonly { readonly type: string; readonly contributors: number }[]
  readonly refused: readonly { readonly reason: string; readonly count: number }[]
}

const pathOf = (action: ConsolidationAction): string => `entities/by-query/${action}`

/** What an action would do, computed by the server without changing anything. */
export const planQuery = (action: ConsolidationAction, target: ConsolidationTarget) =>
  queryOptions({
    queryKey: ['entities', 'consolidation-plan', action, target],
    queryFn: async () =>
      (await call<{ data: ConsolidationPlan }>('POST', pathOf(action), { data: { ...target, dry_run: true } })).data,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/** Joins entities or takes them apart, and waits until that is done. */
export async function runConsolidation(action: ConsolidationAction, target: ConsolidationTarget): Promise<TaskRun> {
  const { data } = await call<{ data: { task_run: string } }>('POST', pathOf(action), { data: target })
  const run = await waitForRun(data.task_run)
  if (run.state === 'SUCCESS' || run.state === 'WARNING') return run
  const detail = run.error_detail ?? 'The run was stopped before it completed.'
  throw new CallError(409, [{ status: 409, title: 'Not completed', detail }])
}

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`

/** A plan in words, one line for each group. */
export const groupsInWords = (action: ConsolidationAction, { groups }: ConsolidationPlan): readonly string[] =>
  groups.map(({ type, contributors }) => {
    const name = entityTypeName(type)
    if (action === 'deconsolidate') return `${name}: ${counted(contributors, 'contributor', 'contributors')}`
    return `${name}: ${counted(contributors, 'entity', 'entities')}, which become one unified entity`
  })

/** The entities that an action leaves alone, and why. */
export const refusedInWords = ({ refused }: ConsolidationPlan): readonly string[] =>
  refused.map(({ reason, count }) => `${counted(count, 'entity', 'entities')}: ${reason}`)

/** The message after an action. */
export function doneInWords(action: ConsolidationAction, { groups }: ConsolidationPlan): string {
  const entities = groups.reduce((sum, { contributors }) => sum + contributors, 0)
  const what = counted(entities, 'entity', 'entities')
  if (action === 'deconsolidate') return `${what} taken out of ${entities === 1 ? 'its' : 'their'} unified entity.`
  return `${what} consolidated into ${counted(groups.length, 'unified entity', 'unified entities')}.`
}
