import type { Document } from '../document.ts'
import { decodedText, type Encoding } from '../encoding/encoding.ts'

/** How much of a list is looked at to tell what its columns are. */
const SAMPLE = 64 * 1024

/** The beginning of a text, in whole lines where it has any. */
export async function sampleOf(document: Document, encoding: Encoding): Promise<string> {
  let text = ''
  for await (const piece of decodedText(document, encoding)) {
    text += piece
    if (text.length < SAMPLE) continue
    const end = Math.max(text.lastIndexOf('\n', SAMPLE), text.lastIndexOf('\r', SAMPLE))
    return text.slice(0, end > 0 ? end : SAMPLE)
  }
  return text
}
