import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DocumentError } from '../document.ts'
import type { Reader } from '../finding.ts'
import type { PdfText } from './pdf-text.ts'
import type { Answer } from './pdf-thread.ts'
import { reportOf } from './report.ts'
import { wholeOf } from './whole.ts'

/** Resource limits per document. One that exceeds them is assumed to be malicious. */
export const PDF_COST = { milliseconds: 120_000, megabytes: 768 }

/** Reads a PDF document as a report with the text of its pages and the observables in it. */
export const readPdf: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const { pages, title, timestamp, losses } = await textOf(bytes)
  const text = pages.map((page, i) => `[page ${i + 1}]\n${page}`).join('\n\n')
  const firstLine = pages.join('\n').trim().split('\n', 1)[0]
  yield await reportOf({ bytes, name: document.name, titles: [title, firstLine], text, timestamp, losses })
}

/** Runs in a worker thread, because the time and memory that a PDF document needs cannot be predicted. */
async function textOf(bytes: Buffer): Promise<PdfText> {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), {
    workerData: new Uint8Array(bytes),
    resourceLimits: { maxOldGenerationSizeMb: PDF_COST.megabytes },
    stdout: true,
    stderr: true,
  })
  try {
    const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(PDF_COST.milliseconds) })) as [Answer]
    if ('fault' in answer) throw new DocumentError(answer.fault)
    return answer.text
  } catch (error) {
    throw error instanceof DocumentError ? error : refusal(error)
  } finally {
    await thread.terminate()
  }
}

function refusal(error: unknown): unknown {
  const { name = '', code = '' } = error as NodeJS.ErrnoException
  if (name === 'AbortError') return new DocumentError('Reading the PDF document takes too long.')
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new DocumentError('Reading the PDF document requires too much memory.')
  return error
}
