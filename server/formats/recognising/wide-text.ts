import { TextDecoder } from 'node:util'
import { wideEncodingOf } from '../encoding/wide-encoding.ts'

interface DecodedHead {
  readonly text: string
  /** UTF-8 stands for every encoding that is compatible with ASCII. */
  readonly encoding: 'UTF-8' | 'UTF-16' | 'UTF-32'
}

/** Decodes the beginning of a text without its byte order mark. Invalid bytes become characters that no format starts with. */
export function decodeHead(head: Buffer): DecodedHead {
  const encoding = wideEncodingOf(head) ?? 'utf-8'
  if (encoding === 'utf-32le') return wide(head, 0)
  if (encoding === 'utf-32be') return wide(head, 3)
  return { text: new TextDecoder(encoding).decode(head), encoding: encoding === 'utf-8' ? 'UTF-8' : 'UTF-16' }
}

/** Decodes as far as needed to recognise JSON or XML, whose syntax is ASCII. */
function wide(head: Buffer, low: number): DecodedHead {
  let text = ''
  for (let at = 0; at + 4 <= head.length; at += 4) text += String.fromCharCode(head[at + low] ?? 0)
  return { text: text.replace(/^\u00ff/, ''), encoding: 'UTF-32' }
}
