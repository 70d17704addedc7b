import { useQuery } from '@tanstack/react-query'
import { idOf, listQuery } from '../../api/lists.ts'
import type { Enricher, Task } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'

/** When the tasks of enrichers run next, by enricher id; empty without the permission to read tasks. */
export function useEnricherTasks(enrichers: readonly Enricher[]): ReadonlyMap<number, string> {
  const may = useMay()
  const { data } = useQuery({
    ...listQuery<Pick<Task, 'id' | 'next_run_at'>>('tasks', {
      'filter[type]': 'enricher',
      attributes: 'id,next_run_at',
      limit: 500,
    }),
    enabled: may('read tasks'),
  })
  const times = new Map((data?.data ?? []).map(({ id, next_run_at }) => [String(id), next_run_at]))
  return new Map(
    enrichers.flatMap(({ id, task }) => {
      const at = task === null ? null : times.get(idOf(task))
      return at ? [[id, at] as const] : []
    }),
  )
}
