import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'

const ENCODINGS: readonly [mark: readonly number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The text of a document in UTF-8, or in UTF-16 where a byte order mark says so, piece by piece and without the mark. */
export async function* textOf(document: Document): AsyncGenerator<string> {
  let line = 1
  for await (const text of decoded(document)) {
    const nul = text.indexOf('\0')
    if (nul >= 0) {
      throw new DocumentError(`line ${line + breaksIn(text.slice(0, nul))}: has a NUL character, which no text has`)
    }
    line += breaksIn(text)
    yield text
  }
}

/** How many lines end in a text, with whatever they end. */
export function breaksIn(text: string): number {
  let breaks = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 10 || (character === 13 && text.charCodeAt(at + 1) !== 10)) breaks++
  }
  return breaks
}

async function* decoded(document: Document): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let head = Buffer.alloc(0)
  try {
    for await (const chunk of document.open()) {
      if (decoder) {
        yield decoder.decode(chunk, { stream: true })
        continue
      }
      head = Buffer.concat([head, chunk])
      if (head.length < 3) continue
      decoder = decoderOf(head)
      yield decoder.decode(head, { stream: true })
    }
    decoder ??= decoderOf(head)
    yield decoder.decode(head.length < 3 ? head : undefined)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new DocumentError(`This is no text in ${decoder?.encoding.toUpperCase() ?? 'UTF-8'}.`)
  }
}

const decoderOf = (head: Buffer): TextDecoder => {
  const found = ENCODINGS.find(([mark]) => mark.every((byte, i) => head[i] === byte))
  return new TextDecoder(found?.[1] ?? 'utf-8', { fatal: true })
}
