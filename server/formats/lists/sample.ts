import type { Document } from '../document.ts'
import { decodedText, type Encoding } from '../encoding/encoding.ts'

/** How much of a list is examined to determine its columns. */
const SAMPLE_BYTES = 64 * 1024

/** Returns the beginning of a text, cut at a line end if there is one. */
export async function sampleOf(document: Document, encoding: Encoding): Promise<string> {
  let text = ''
  for await (const piece of decodedText(document, encoding)) {
    text += piece
    if (text.length < SAMPLE_BYTES) continue
    const end = Math.max(text.lastIndexOf('\n', SAMPLE_BYTES), text.lastIndexOf('\r', SAMPLE_BYTES))
    return text.slice(0, end > 0 ? end : SAMPLE_BYTES)
  }
  return text
}
