import { parentPort, workerData } from 'node:worker_threads'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { TEXT_READERS, type TextFormat } from './text-readers.ts'

/** What the thread is given. */
export interface Task {
  readonly format: TextFormat
  readonly name: string
  readonly bytes: Uint8Array
}

/** What it answers: everything that was found, or why the document cannot be read. */
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
