import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { idOf, type Page, searchOf } from '../api/lists.ts'
import type { Task, TaskRun } from '../api/resources.ts'
import { useMay } from '../api/session.ts'

type ListedTask = Pick<Task, 'id' | 'next_run_at' | 'last_run'>
type Run = Pick<TaskRun, 'id' | 'task' | 'state' | 'created_at' | 'ended_at'>

/** When a task last ran and runs next. */
export interface TaskTimes {
  readonly next_run_at: string | null
  readonly last_run: Run | undefined
}

/** The number of ids per request, so that addresses stay short. */
const CHUNK = 100
const REFRESH_MS = 15_000

async function byIds<T>(path: string, ids: readonly string[], attributes: string, signal: AbortSignal): Promise<T[]> {
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, i) => {
      const search = searchOf({ 'filter[id]': ids.slice(i * CHUNK, (i + 1) * CHUNK), attributes, limit: CHUNK })
      return call<Page<T>>('GET', `${path}${search}`, undefined, signal)
    }),
  )
  return pages.flatMap(({ data }) => data)
}

const timesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['tasks', 'times', ids],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, TaskTimes>> => {
      const tasks = await byIds<ListedTask>('tasks', ids, 'id,next_run_at,last_run', signal)
      const latest = tasks.flatMap(({ last_run }) => (last_run === null ? [] : idOf(last_run)))
      const runs = await byIds<Run>('tasks/runs', latest, 'id,task,state,created_at,ended_at', signal)
      const byTask = new Map(runs.map((run) => [idOf(run.task), run]))
      return new Map(
        tasks.map(({ id, next_run_at }) => [String(id), { next_run_at, last_run: byTask.get(String(id)) }]),
      )
    },
    refetchInterval: REFRESH_MS,
  })

const NO_TIMES: ReadonlyMap<string, TaskTimes> = new Map()

/** When the tasks of rules and enrichers last ran and run next, by the id of the task; empty without the permission to read tasks. */
export function useTaskTimes(urls: readonly (string | null)[]): ReadonlyMap<string, TaskTimes> {
  const canRead = useMay()('read tasks')
  const ids = urls.flatMap((url) => (url === null ? [] : idOf(url)))
  const { data } = useQuery({ ...timesQuery(ids), enabled: canRead && ids.length > 0 })
  return data ?? NO_TIMES
}

/** The times of the task of a rule or an enricher. */
export const timesOf = (
  times: ReadonlyMap<string, TaskTimes>,
  { task }: { readonly task: string | null },
): TaskTimes | undefined => (task === null ? undefined : times.get(idOf(task)))
