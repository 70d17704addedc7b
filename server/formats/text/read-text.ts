import type { Reader } from '../finding.ts'
import { decodeBytes } from './decode-text.ts'
import { reportOf } from './report.ts'
import { wholeOf } from './whole.ts'

/** Reads plain text as a report with the text and the observables in it. */
export const readText: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  yield await reportOf({ bytes, name: document.name, titles: [], ...decodeBytes(bytes) })
}
