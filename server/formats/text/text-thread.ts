import { parentPort, workerData } from 'node:worker_threads'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { TEXT_READERS, type TextFormat } from './text-readers.ts'

/** The input of the thread. */
export interface Task {
  readonly format: TextFormat
  readonly name: string
  readonly bytes: Uint8Array
}

/** The result of the thread: all findings, or why the document cannot be read. */
export type Answer = { readonly findings: readonly Finding[] } | { readonly fault: string }

async function answerTo({ format, name, bytes }: Task): Promise<Answer> {
  const read = await TEXT_READERS[format]()
  try {
    const document = documentOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name)
    return { findings: await Array.fromAsync(read(document)) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { fault: error.message }
  }
}

parentPort?.postMessage(await answerTo(workerData as Task))
