import { TextDecoder } from 'node:util'
import { wideEncodingOf } from '../encoding/wide-encoding.ts'

interface DecodedHead {
  readonly text: string
  /** UTF-8 stands for every encoding whose first 128 characters are those of ASCII. */
  readonly encoding: 'UTF-8' | 'UTF-16' | 'UTF-32'
}

/** The beginning of a text without its byte order mark; bytes that are no text become signs that no format begins with. */
export function decodeHead(head: Buffer): DecodedHead {
  const encoding = wideEncodingOf(head) ?? 'utf-8'
  if (encoding === 'utf-32le') return wide(head, 0)
  if (encoding === 'utf-32be') return wide(head, 3)
  return { text: new TextDecoder(encoding).decode(head), encoding: encoding === 'utf-8' ? 'UTF-8' : 'UTF-16' }
}

/** As far as it takes to see whether it is JSON or XML, which are in the first 128 characters all through. */
function wide(head: Buffer, low: number): DecodedHead {
  let text = ''
  for (let at = 0; at + 4 <= head.length; at += 4) text += String.fromCharCode(head[at + low] ?? 0)
  return { text: text.replace(/^\u00ff/, ''), encoding: 'UTF-32' }
}
