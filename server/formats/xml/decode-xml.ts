import { TextDecoder } from 'node:util'
import { type Document, DocumentError } from '../document.ts'

const PIECE = 64 * 1024

/** Supported encodings other than UTF-8. In all of them a byte is a character, so chunks never split one. */
const SINGLE_BYTE = new Set(['iso-8859-1', 'latin1', 'us-ascii', 'ascii', 'windows-1252'])

/** Decodes an XML document in chunks: UTF-8, or one of a few single-byte encodings according to its declaration. */
export async function* decodeXml(document: Document): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let line = 1
  for await (const chunk of document.open()) {
    // A document in memory arrives as one chunk. Splitting it avoids holding all of its elements at once.
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE)
      decoder ??= decoderFor(piece)
      const text = decode(decoder, piece, line)
      line += breaksIn(text)
      yield text
    }
  }
  if (!decoder) throw new DocumentError('the document is empty')
  yield decode(decoder, undefined, line)
}

function decoderFor(start: Buffer): TextDecoder {
  const [first = 0, second = 0] = start
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isUtf16 || ((first === 0 || second === 0) && start.length > 1))
    throw new DocumentError(
      'line 1, column 1: the document is in UTF-16 or UTF-32, which is not supported for XML; use UTF-8',
    )
  const declaration = start.subarray(0, 200).toString('latin1')
  const encoding = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z\d._-]{1,40})["']/.exec(
    declaration,
  )
  const label = encoding?.[1]?.toLowerCase() ?? 'utf-8'
  // Some programs declare `utf-16` but save UTF-8. The bytes take precedence.
  if (SINGLE_BYTE.has(label)) return new TextDecoder('windows-1252', { fatal: true })
  if (label === 'utf-8' || label === 'utf8' || label === 'utf-16') return new TextDecoder('utf-8', { fatal: true })
  throw new DocumentError(`line 1: the encoding '${label}' is not supported for XML; use UTF-8`)
}

function decode(decoder: TextDecoder, piece: Buffer | undefined, line: number): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    const [place] = (piece ?? Buffer.alloc(0)).toString('utf8').split('\u{fffd}', 1)
    const column = (place ?? '').length - (place ?? '').lastIndexOf('\n')
    throw new DocumentError(`line ${line + breaksIn(place ?? '')}, column ${column}: the text is not valid UTF-8`)
  }
}

function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
