import { TextDecoder } from 'node:util'
import { encodingNotes } from '../encoding/encoding.ts'

/** As many bytes of a mail and header fields of its parts as are looked at. */
const LOOKED_AT = 8 * 1024 * 1024
const MOST_PARTS = 200

/** The encodings that the parts of a mail say they have, other than UTF-8. ASCII is a part of that. */
export function charsetNotes(bytes: Buffer): readonly string[] {
  const head = bytes.subarray(0, LOOKED_AT).toString('latin1')
  const encodings = new Set<string>()
  for (const { index } of head.matchAll(/^content-type:/gim).take(MOST_PARTS)) {
    const [, label = ''] = /charset\s{0,3}=\s{0,3}["']?([\w:-]{1,40})/i.exec(fieldAt(head, index)) ?? []
    const encoding = /^(?:us-)?ascii$/i.test(label) ? undefined : encodingNamed(label)
    if (encoding !== undefined) encodings.add(encoding)
  }
  return [...encodings].flatMap(encodingNotes)
}

/** What is said of characters of a mail that could not be decoded. */
export function unreadableIn(text: string): readonly string[] {
  const count = text.split('\uFFFD').length - 1
  if (count === 0) return []
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length
  return [`${count} characters could not be decoded and became U+FFFD, first in line ${line} of the text`]
}

/** A field of a header with the lines that continue it. */
function fieldAt(head: string, start: number): string {
  const lines = head.slice(start, start + 1_000).split('\n')
  const end = lines.findIndex((line, i) => i > 0 && !/^[ \t]/.test(line))
  return lines.slice(0, end < 0 ? undefined : end).join('\n')
}

function encodingNamed(label: string): string | undefined {
  try {
    return label === '' ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
