import { type Document, DocumentError } from '../document.ts'
import { type Decoding, decodedPieces, decodingOf } from '../encoding/decoding.ts'

/** Decodes the text of a document chunk by chunk, without a byte order mark. */
export async function* textOf(document: Document, decoding?: Decoding): AsyncGenerator<string> {
  let line = 1
  for await (const text of decodedPieces(document, decoding ?? (await decodingOf(document)))) {
    const nul = text.indexOf('\0')
    if (nul >= 0) {
      throw new DocumentError(
        `line ${line + breaksIn(text.slice(0, nul))}: contains a NUL character, which text never has`,
      )
    }
    line += breaksIn(text)
    yield text
  }
}

/** Counts the line ends in a text, of any kind. */
export function breaksIn(text: string): number {
  let breaks = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 10 || (character === 13 && text.charCodeAt(at + 1) !== 10)) breaks++
  }
  return breaks
}
