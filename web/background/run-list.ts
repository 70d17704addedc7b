import type { Parameters } from '../api/lists.ts'
import type { TaskRun } from '../api/resources.ts'

type State = TaskRun['state']

/** The views of the run list, with the states they include. */
export const VIEWS = [
  { value: '', label: 'All', states: [] },
  { value: 'open', label: 'Active', states: ['PENDING', 'SENT', 'STARTED', 'RETRY'] },
  { value: 'failed', label: 'Failed', states: ['FAILURE'] },
  { value: 'warned', label: 'With warnings', states: ['WARNING', 'CAP_REACHED'] },
  { value: 'done', label: 'Completed', states: ['SUCCESS'] },
  { value: 'stopped', label: 'Stopped', states: ['REVOKED'] },
] as const satisfies readonly { value: string; label: string; states: readonly State[] }[]

/** The query parameters for a list of runs, latest first. */
export function runParameters(view: string, task: string): Parameters {
  const states: readonly State[] = VIEWS.find(({ value }) => value === view)?.states ?? []
  return {
    ...(states.length > 0 && { 'filter[state]': states }),
    ...(task !== '' && { 'filter[task]': task }),
    attributes: 'id,task,state,progress,attempt,started_at,ended_at,created_at,created_by',
    sort: '-created_at',
    limit: 50,
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A duration, up to now if it has not ended. */
export function lasted(from: string | null, to: string | null, now: number): string {
  if (from === null) return '–'
  const ms = Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.round((ms % HOUR) / MINUTE)} min`
}
