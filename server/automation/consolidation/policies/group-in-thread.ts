import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { tooBroad } from '../../../engine/errors.ts'
import type { Candidate, Decisions } from '../matching/blocks.ts'
import { type Grouping, groupSubjects } from '../matching/group.ts'
import type { Task } from './grouping-thread.ts'

/** More entities are grouped in a thread of their own, because they would block other requests. */
const MAX_ON_MAIN_THREAD = 1000

const MAX_MS = 20_000

const MAX_MEMORY_MB = 1024

/** Groups entities without blocking other requests. Responds 422 if it takes too long. */
export async function groupInThread(candidates: readonly Candidate[], decisions: Decisions): Promise<Grouping> {
  if (candidates.length <= MAX_ON_MAIN_THREAD) return groupSubjects(candidates, decisions)
  const task: Task = { candidates, decisions }
  const thread = new Worker(new URL('./grouping-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  try {
    const [grouping] = await once(thread, 'message', { signal: AbortSignal.timeout(MAX_MS) })
    return grouping
  } catch (error) {
    const { name = '', code = '' } = error as NodeJS.ErrnoException
    if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw tooBroad('comparing the entities takes too long; choose fewer types or sources.', error)
    throw error
  } finally {
    await thread.terminate()
  }
}
