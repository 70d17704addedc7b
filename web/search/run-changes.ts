import { CallError, call } from '../api/call.ts'
import { idOf, type Page, searchOf } from '../api/lists.ts'
import type { TaskRun } from '../api/resources.ts'
import { hasEnded, pauseAfter } from '../background/run-queries.ts'
import { BEFORE_ATTRIBUTES, type Before, type Change, requestOf, type Step } from './bulk-change.ts'
import { chunks, idsQuery, MAX_IDS_PER_QUERY } from './selection.ts'

/** Above this number the previous state is not loaded, and the change cannot be undone. */
export const MAX_UNDOABLE = 2_000

/** Reports progress from 0 to 1. */
export type OnProgress = (share: number) => void

/** The result of a run. */
export interface Outcome {
  readonly changed: number
  readonly failed: number
  /** The unified entities that were left out, because only their contributors can be changed. */
  readonly unified: number
}

/** Runs a bulk action for each query, one run after the other, and waits for each to end. */
export async function runByQuery(
  path: string,
  body: Readonly<Record<string, unknown>>,
  queries: readonly string[],
  onProgress: OnProgress = () => {},
): Promise<Outcome> {
  let [changed, failed, unified] = [0, 0, 0]
  for (const [i, entities_query] of queries.entries()) {
    const { data } = await call<{ data: { task_run: string } }>('POST', path, { data: { ...body, entities_query } })
    const run = await followed(data.task_run, (share) => onProgress((i + share) / queries.length))
    const result = (run.result ?? {}) as Partial<Outcome>
    changed += result.changed ?? 0
    failed += result.failed ?? 0
    unified += result.unified ?? 0
  }
  return { changed, failed, unified }
}

/** How many entities a bulk action would affect. */
interface Counted {
  readonly count: number
  /** The unified entities that it would leave out. */
  readonly unified: number
}

/** The number of entities that a bulk action would affect. */
export async function countByQuery(path: string, queries: readonly string[]): Promise<Counted> {
  const counts = await Promise.all(
    queries.map((entities_query) =>
      call<{ data: { count: number; unified?: number } }>('POST', path, { data: { entities_query, dry_run: true } }),
    ),
  )
  return {
    count: counts.reduce((sum, { data }) => sum + data.count, 0),
    unified: counts.reduce((sum, { data }) => sum + (data.unified ?? 0), 0),
  }
}

/** A completed change, and how to undo it if that is possible exactly. */
export interface AppliedChange extends Outcome {
  readonly undo: ((onProgress?: OnProgress) => Promise<unknown>) | undefined
}

/** Applies a change to what queries find. Small selections are loaded first, to undo exactly, and changed by id. */
export async function makeChange(
  change: Change,
  queries: readonly string[],
  count: number,
  onProgress: OnProgress,
  inverse: (before: readonly Before[]) => readonly Step[],
): Promise<AppliedChange> {
  const { path, body } = requestOf(change)
  const pages = count > MAX_UNDOABLE ? [] : await Promise.all(queries.map(readBefore))
  // More entities than one page may match by now.
  const isKnown = pages.length > 0 && pages.every(({ cursor }) => cursor === null)
  if (!isKnown) return { ...(await runByQuery(path, body, queries, onProgress)), undo: undefined }
  const before = pages.flatMap(({ data }) => data)
  const ids = before.map(({ id }) => id)
  const steps = inverse(before)
  const done = await runByQuery(path, body, chunks(ids, MAX_IDS_PER_QUERY).map(idsQuery), onProgress)
  return { ...done, undo: steps.length === 0 ? undefined : () => applySteps(steps) }
}

async function applySteps(steps: readonly Step[]): Promise<void> {
  for (const { change, ids } of steps) {
    const { path, body } = requestOf(change)
    await runByQuery(path, body, chunks(ids, MAX_IDS_PER_QUERY).map(idsQuery))
  }
}

const readBefore = (query: string) =>
  call<Page<Before>>('GET', `entities${searchOf({ query, limit: MAX_UNDOABLE, attributes: BEFORE_ATTRIBUTES })}`)

/** Waits for a run to end; throws if it did not succeed. */
async function followed(url: string, onProgress: OnProgress): Promise<TaskRun> {
  for (let times = 0; ; times++) {
    const { data: run } = await call<{ data: TaskRun }>('GET', `tasks/runs/${idOf(url)}`)
    onProgress(run.progress)
    if (hasEnded(run)) {
      if (run.state === 'SUCCESS' || run.state === 'WARNING') return run
      const detail = run.error_detail ?? 'The run was stopped before it completed.'
      throw new CallError(409, [{ status: 409, title: 'Not completed', detail }])
    }
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(times)))
  }
}
