import type { TaskTimes } from '../task-times.ts'

/** When the latest of several tasks ran, and when the first of them runs next. */
export function spanOf(times: ReadonlyMap<string, TaskTimes>): {
  readonly last: string | null
  readonly next: string | null
} {
  const all = [...times.values()]
  const byTime = (texts: readonly string[]) => texts.toSorted((a, b) => Date.parse(a) - Date.parse(b))
  return {
    last: byTime(all.flatMap(({ last_run }) => last_run?.created_at ?? [])).at(-1) ?? null,
    next: byTime(all.flatMap(({ next_run_at }) => next_run_at ?? []))[0] ?? null,
  }
}
