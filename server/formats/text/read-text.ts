import { encodingNotes } from '../encoding/encoding.ts'
import type { Reader } from '../finding.ts'
import { decodeBytes } from './decode-text.ts'
import { reportOf } from './report.ts'
import { wholeOf } from './whole.ts'

/** Reads plain text: a report with the text and the observables in it. */
export const readText: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const { text, encoding } = decodeBytes(bytes)
  const finding = await reportOf({ bytes, name: document.name, titles: [], text })
  const notes = encodingNotes(encoding)
  yield notes.length > 0 ? { ...finding, notes } : finding
}
