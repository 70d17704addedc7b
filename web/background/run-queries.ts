import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { CallError, call } from '../api/call.ts'
import { idOf, oneQuery } from '../api/lists.ts'
import { queries } from '../api/queries.ts'
import type { TaskRun } from '../api/resources.ts'

/** Polling interval: short at first, because most runs are short, and longer for long runs. */
const FIRST_PAUSE_MS = 400
const MAX_PAUSE_MS = 5_000
const GROWTH = 1.25

/** The pause after a number of polls. */
export const pauseAfter = (times: number): number => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** times)

/** Whether a run has ended, successfully or not. */
export const hasEnded = ({ ended_at }: Pick<TaskRun, 'ended_at'>): boolean => ended_at !== null

/** A run by id or URL, polled until it has ended. */
export const runQuery = (idOrUrl: string) =>
  queryOptions({
    ...oneQuery<TaskRun>(`tasks/runs/${idOf(idOrUrl)}`),
    refetchInterval: ({ state: { data, error, dataUpdateCount } }) => {
      if (data && hasEnded(data)) return false
      // Retrying does not help if the run is not visible; a lost connection may come back.
      if (error instanceof CallError && error.status >= 400 && error.status < 500) return false
      return pauseAfter(dataUpdateCount)
    },
  })

/** Follows a run, by id or URL, until it has ended. `onEnded` is called once, even if the run had already ended. */
export function useRun(idOrUrl: string, onEnded?: (run: TaskRun) => void): UseQueryResult<TaskRun> {
  const followed = useQuery(runQuery(idOrUrl))
  const reportedRun = useRef('')
  const { data } = followed
  useEffect(() => {
    if (!data || !hasEnded(data) || reportedRun.current === data.id) return
    reportedRun.current = data.id
    onEnded?.(data)
  }, [data, onEnded])
  return followed
}

/** Waits for a run, by id or URL, to end. */
export async function waitForRun(idOrUrl: string): Promise<TaskRun> {
  const query = oneQuery<TaskRun>(`tasks/runs/${idOf(idOrUrl)}`)
  for (let times = 0; ; times += 1) {
    const run = await queries.fetchQuery({ ...query, staleTime: 0 })
    if (hasEnded(run)) return run
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(times)))
  }
}

/** Starts a run of a task, by id or URL; returns the id of the run. */
export async function startRun(task: number | string): Promise<string> {
  const { data } = await call<{ data: { id: string } }>('POST', 'tasks/runs', {
    data: { task: Number(idOf(String(task))) },
  })
  await queries.invalidateQueries({ queryKey: ['tasks/runs'] })
  return data.id
}

/** Stops a run; fails if it has already ended. */
export const stopRun = (id: string) => call<undefined>('DELETE', `tasks/runs/${id}`)

/** The counts in a result such as `{matched: 3, changed: 2}`, as text. */
export function countsOf(result: unknown): readonly string[] {
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return []
  return Object.entries(result).flatMap(([name, count]) =>
    typeof count === 'number' ? [`${count.toLocaleString('en')} ${name.replaceAll('_', ' ')}`] : [],
  )
}
