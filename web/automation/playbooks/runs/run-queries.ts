import { call } from '../../../api/call.ts'
import { invalidate } from '../../../api/invalidate.ts'
import type { PlaybookRun } from '../../../api/resources.ts'
import type { ObjectCollection } from '../playbook.ts'

/** The objects to run a playbook on: some by id, or those that a query finds. */
export interface RunTarget {
  readonly collection: ObjectCollection
  readonly ids?: readonly (string | number)[]
  readonly query?: string
  /** How many objects these are. */
  readonly count: number
}

/** The largest number of objects that one request runs a playbook on. */
export const MAX_OBJECTS = 1000

const selectionOf = ({ collection, ids, query }: RunTarget) =>
  query === undefined ? { [collection]: ids ?? [] } : { query, most: MAX_OBJECTS }

/** Runs a playbook on objects; returns the ids of the runs that were started. */
export async function runPlaybook(playbook: number | string, target: RunTarget): Promise<readonly string[]> {
  const body = { data: selectionOf(target) }
  const { data } = await call<{ data: { runs: readonly string[] } }>('POST', `playbooks/${playbook}/runs`, body)
  await invalidate('playbooks')
  return data.runs
}

/** Stops a run, or goes on with one that failed or was stopped. */
export async function changeRun(playbook: string, run: string, verb: 'stop' | 'retry'): Promise<PlaybookRun> {
  const { data } = await call<{ data: PlaybookRun }>('POST', `playbooks/${playbook}/runs/${run}/${verb}`)
  await invalidate('playbooks')
  return data
}

/** Ends the pause of a playbook. */
export async function resumePlaybook(playbook: number): Promise<void> {
  await call('POST', `playbooks/${playbook}/resume`)
  await invalidate('playbooks')
}
