import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DocumentError } from '../document.ts'
import type { Reader } from '../finding.ts'
import type { PdfText } from './pdf-text.ts'
import type { Answer } from './pdf-thread.ts'
import { reportOf } from './report.ts'
import { wholeOf } from './whole.ts'

/** What a document may cost: one that takes more is made to harm. */
export const PDF_COST = { milliseconds: 120_000, megabytes: 768 }

/** Reads a PDF document: a report with the text of its pages and the observables in it. */
export const readPdf: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const { pages, title, timestamp, losses } = await textOf(bytes)
  const text = pages.map((page, i) => `[page ${i + 1}]\n${page}`).join('\n\n')
  const firstLine = pages.join('\n').trim().split('\n', 1)[0]
  yield await reportOf({ bytes, name: document.name, titles: [title, firstLine], text, timestamp, losses })
}

/** In a thread of its own: nothing else tells how long and how much memory a PDF document takes. */
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
  if (name === 'AbortError') return new DocumentError('The PDF document takes too long to read.')
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new DocumentError('The PDF document takes too much memory to read.')
  return error
}
