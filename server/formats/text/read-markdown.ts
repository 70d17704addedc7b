import type { Reader } from '../finding.ts'
import { decodeBytes } from './decode-text.ts'
import { markdownText } from './markdown-text.ts'
import { reportOf } from './report.ts'
import { timeOf } from './time-of.ts'
import { wholeOf } from './whole.ts'

/** Reads Markdown as a report with its plain text and the observables in it. */
export const readMarkdown: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const { text: marked, ...decoded } = decodeBytes(bytes)
  const { title, published, text } = markdownText(marked)
  yield await reportOf({ bytes, name: document.name, titles: [title], text, timestamp: timeOf(published), ...decoded })
}
