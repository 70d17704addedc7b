import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { TEXT_READERS, type TextFormat } from './text-readers.ts'
import type { Answer, Task } from './text-thread.ts'
import { wholeOf } from './whole.ts'

/** Maximum size of documents read on the main thread. Larger ones would block requests. */
export const MAIN_THREAD_LIMIT = 100_000

/** Memory limit per document in megabytes. A document that needs more is assumed to be malicious. */
const MEMORY_LIMIT_MB = 1_024

/** A reader for text formats that reads large documents in a worker thread. */
export const textReader = (format: TextFormat): Reader =>
  async function* (document) {
    const bytes = await wholeOf(document)
    if (bytes.length > MAIN_THREAD_LIMIT) yield* await findingsIn({ format, name: document.name, bytes })
    else yield* (await TEXT_READERS[format]())(documentOf(bytes, document.name))
  }

async function findingsIn(task: Task): Promise<readonly Finding[]> {
  const thread = new Worker(new URL('./text-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })
  try {
    const [answer] = (await once(thread, 'message')) as [Answer]
    if ('fault' in answer) throw new DocumentError(answer.fault)
    return answer.findings.map(withBuffers)
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw isTooLarge ? new DocumentError('Reading the document requires too much memory.') : error
  } finally {
    await thread.terminate()
  }
}

/** Worker threads transfer buffers as plain byte arrays. */
function withBuffers(finding: Finding): Finding {
  if (finding.kind !== 'entity' || !finding.entity.attachments) return finding
  const attachments = finding.entity.attachments.map(({ bytes, ...rest }) => ({
    ...rest,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }))
  return { ...finding, entity: { ...finding.entity, attachments } }
}
