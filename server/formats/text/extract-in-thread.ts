import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { extractInParts } from './extract-in-parts.ts'
import type { Extracted } from './extract-observables.ts'
import type { Searched } from './extract-thread.ts'
import { MAIN_THREAD_LIMIT } from './in-thread.ts'

/** Finds the observables of a text, each once. A large text is searched in a worker thread, because it would block requests. */
export async function extractInThread(text: string, most: number): Promise<readonly Extracted[]> {
  if (text.length <= MAIN_THREAD_LIMIT) return extractInParts(text, most)
  const searched: Searched = { text, most }
  const thread = new Worker(new URL('./extract-thread.ts', import.meta.url), { workerData: searched })
  try {
    const [found] = (await once(thread, 'message')) as [readonly Extracted[]]
    return found
  } finally {
    await thread.terminate()
  }
}
