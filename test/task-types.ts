import { appendFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { defineTask, type Task, TaskError, type TaskTypes } from '../server/background/task.ts'

/** Ends at once, in the requested way. */
export const simple = defineTask({
  type: 'simple',
  doc: 'Ends at once.',
  parameters: z.object({ outcome: z.enum(['WARNING', 'CAP_REACHED']).optional(), value: z.unknown().optional() }),
  run: async ({ parameters: { outcome, value = null } }) => ({ result: value, ...(outcome && { outcome }) }),
})

/** Waits for its signal, and writes what happened to a file. */
export const patient = defineTask({
  type: 'patient',
  doc: 'Waits until it is told to end.',
  parameters: z.object({ file: z.string().optional(), ignores_signal: z.boolean().default(false) }),
  retryDelay: 1,
  run: async ({ parameters: { file, ignores_signal }, signal, progress, log, attempt }) => {
    const tell = async (line: string) => file && appendFile(file, `${line}\n`)
    log(`attempt ${attempt} waits`)
    progress(0.25)
    await tell(`${process.pid} started`)
    if (ignores_signal) await sleep(2500)
    else {
      await sleep(600_000, undefined, { signal }).catch(() => {})
      await tell(`${process.pid} aborted`)
      signal.throwIfAborted()
    }
    return { result: 'waited' }
  },
})

/** Fails as often and in the way requested. */
export const failing = defineTask({
  type: 'failing',
  doc: 'Fails.',
  parameters: z.object({
    times: z.int().default(100),
    is_final: z.boolean().default(false),
    is_internal: z.boolean().default(false),
  }),
  retryLimit: 2,
  retryDelay: 1,
  run: async ({ attempt, parameters: { times, is_final, is_internal } }) => {
    if (attempt > times) return { result: { attempt } }
    if (is_internal) throw new Error('password=hunter2 at /srv/internals.ts')
    throw new TaskError(`The feed did not answer, attempt ${attempt}.`, { isFinal: is_final })
  },
})

/** Runs one at a time. */
export const single = defineTask({ ...patient, type: 'single', isUnique: true })

/** Never finishes in time. */
export const slow = defineTask({ ...patient, type: 'slow', expireInSeconds: 1, retryLimit: 0 })

/** Fails for good when its worker is lost. */
export const fragile = defineTask({ ...patient, type: 'fragile', retryLimit: 0 })

/** Returns a value that JSON cannot represent. */
export const unspeakable = defineTask({
  type: 'unspeakable',
  doc: 'Has a result that cannot be stored.',
  parameters: z.object({}),
  retryLimit: 0,
  run: async () => ({ result: 1n }),
})

/** Returns text that PostgreSQL cannot store. */
export const zero = defineTask({ ...unspeakable, type: 'zero', run: async () => ({ result: { text: 'a\u0000b' } }) })

const all: readonly Task[] = [simple, patient, failing, single, slow, fragile, unspeakable, zero]

export const taskTypes: TaskTypes = new Map(all.map((task) => [task.type, task]))
