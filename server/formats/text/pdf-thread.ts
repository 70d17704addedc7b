import { parentPort, workerData } from 'node:worker_threads'
import { DocumentError } from '../document.ts'
import { type PdfText, pdfText } from './pdf-text.ts'

/** The result of the thread: the text, or why it cannot be read. */
export type Answer = { readonly text: PdfText } | { readonly fault: string }

const answer = await pdfText(workerData as Uint8Array).then(
  (text): Answer => ({ text }),
  (error: unknown): Answer => {
    if (!(error instanceof DocumentError)) throw error
    return { fault: error.message }
  },
)
parentPort?.postMessage(answer)
