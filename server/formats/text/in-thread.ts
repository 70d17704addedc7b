import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { TEXT_READERS, type TextFormat } from './text-readers.ts'
import type { Answer, Task } from './text-thread.ts'
import { wholeOf } from './whole.ts'

/** The largest document that is read on the main thread: more would keep requests waiting. */
export const LARGEST_HERE = 100_000

/** What a document may take: one that needs more is made to harm. */
const MEGABYTES = 1_024

/** A reader for text that leaves large documents to a thread of their own. */
export const textReader = (format: TextFormat): Reader =>
  async function* (document) {
    const bytes = await wholeOf(document)
    if (bytes.length > LARGEST_HERE) yield* await findingsIn({ format, name: document.name, bytes })
    else yield* (await TEXT_READERS[format]())(documentOf(bytes, document.name))
  }

async function findingsIn(task: Task): Promise<readonly Finding[]> {
  const thread = new Worker(new URL('./text-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  try {
    const [answer] = (await once(thread, 'message')) as [Answer]
    if ('fault' in answer) throw new DocumentError(answer.fault)
    return answer.findings.map(withBuffers)
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw isTooLarge ? new DocumentError('The document takes too much memory to read.') : error
  } finally {
    await thread.terminate()
  }
}

/** Threads send plain arrays of bytes where they are given buffers. */
function withBuffers(finding: Finding): Finding {
  if (finding.kind !== 'entity' || !finding.entity.attachments) return finding
  const attachments = finding.entity.attachments.map(({ bytes, ...rest }) => ({
    ...rest,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }))
  return { ...finding, entity: { ...finding.entity, attachments } }
}
