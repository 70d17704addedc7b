import { TextDecoder } from 'node:util'
import { encodingNotes } from '../encoding/encoding.ts'

/** How many bytes and how many Content-Type headers of an e-mail are examined. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_CONTENT_TYPES = 200

/** Returns the declared charsets of the parts of an e-mail, other than UTF-8 and its subset ASCII. */
export function charsetNotes(bytes: Buffer): readonly string[] {
  const head = bytes.subarray(0, MAX_BYTES).toString('latin1')
  const encodings = new Set<string>()
  for (const { index } of head.matchAll(/^content-type:/gim).take(MAX_CONTENT_TYPES)) {
    const [, label = ''] = /charset\s{0,3}=\s{0,3}["']?([\w:-]{1,40})/i.exec(fieldAt(head, index)) ?? []
    const encoding = /^(?:us-)?ascii$/i.test(label) ? undefined : encodingNamed(label)
    if (encoding !== undefined) encodings.add(encoding)
  }
  return [...encodings].flatMap(encodingNotes)
}

/** Reports characters of an e-mail that could not be decoded. */
export function unreadableIn(text: string): readonly string[] {
  const count = text.split('\uFFFD').length - 1
  if (count === 0) return []
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length
  return [`${count} characters could not be decoded and were replaced by U+FFFD, first in line ${line} of the text`]
}

/** Returns a header field including its continuation lines. */
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
