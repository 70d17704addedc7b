import { Worker } from 'node:worker_threads'
import { type Call, DetonatorError, type Report, type VendorRequest } from '../adapter.ts'
import { bufferOf, faultFrom, faultOf, memoryOf, type Said, type Task } from './report-messages.ts'

/** Of the old generation. What the limits of a document let through needs less. */
const MAX_MEMORY_MB = 1536

/** With the usual size, collections of short-lived values take most of the time. */
const YOUNG_MB = 96

const MAX_SECONDS = 60

/** Reads a report in a thread, whose requests are sent here. Fails as unreadable if that takes too much time or memory. */
export async function readInThread(task: Task, call: Call): Promise<Report> {
  call.signal.throwIfAborted()
  const thread = new Worker(new URL('./report-thread.ts', import.meta.url), {
    workerData: task,
    transferList: memoryOf(task.answers.map(({ body }) => body)),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  try {
    return await resultOf(thread, call)
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw isTooLarge ? unreadable(`needs more than ${MAX_MEMORY_MB} MiB of memory`) : error
  } finally {
    await thread.terminate()
  }
}

const unreadable = (what: string): DetonatorError =>
  new DetonatorError('unreadable', `The report of the sandbox cannot be read: it ${what}, which is the limit.`)

function resultOf(thread: Worker, { send, signal }: Call): Promise<Report> {
  return new Promise((resolve, reject) => {
    const slow = () => reject(unreadable(`takes more than ${MAX_SECONDS} seconds`))
    let timer = setTimeout(slow, MAX_SECONDS * 1000)
    const ended = () => {
      clearTimeout(timer)
      reject(signal.aborted ? signal.reason : new Error('The thread ended without a report.'))
    }
    signal.addEventListener('abort', ended, { once: true })
    const answer = async (request: VendorRequest): Promise<void> => {
      // The vendor has limits of its own.
      clearTimeout(timer)
      try {
        const answer = await send(request)
        thread.postMessage({ answer }, memoryOf([answer.body]))
      } catch (error) {
        if (!(error instanceof DetonatorError)) return reject(error)
        thread.postMessage({ fault: faultOf(error) })
      }
      timer = setTimeout(slow, MAX_SECONDS * 1000)
    }
    thread.on('message', (said: Said) => {
      if ('request' in said) return void answer(said.request)
      if ('report' in said) resolve(withBuffer(said.report))
      else reject(faultFrom(said.fault))
    })
    thread.on('error', reject)
    thread.on('exit', () => {
      signal.removeEventListener('abort', ended)
      ended()
    })
  })
}

const withBuffer = (report: Report): Report => ({
  ...report,
  raw: { ...report.raw, content: bufferOf(report.raw.content) },
})
