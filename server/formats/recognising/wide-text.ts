import { TextDecoder } from 'node:util'

interface Decoded {
  readonly text: string
  readonly encoding: 'UTF-8' | 'UTF-16' | 'UTF-32'
}

/** The beginning of a text without its byte order mark; bytes that are no text become signs that no format begins with. */
export function decodeHead(head: Buffer): Decoded {
  const [a, b, c, d] = head
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return wide(head, 4, 0)
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return wide(head, 4, 3)
  if (a === 0xff && b === 0xfe) return narrow(head, 'utf-16le')
  if (a === 0xfe && b === 0xff) return narrow(head, 'utf-16be')
  if (head.length >= 4) {
    // Without a mark: texts begin with characters of one byte, and the zeros tell where these stand.
    const zeros = [a, b, c, d].map((byte) => byte === 0).join()
    if (zeros === 'true,true,true,false') return wide(head, 4, 3)
    if (zeros === 'false,true,true,true') return wide(head, 4, 0)
    if (zeros === 'true,false,true,false') return narrow(head, 'utf-16be')
    if (zeros === 'false,true,false,true') return narrow(head, 'utf-16le')
  }
  return { text: new TextDecoder('utf-8').decode(head), encoding: 'UTF-8' }
}

const narrow = (head: Buffer, encoding: string): Decoded => ({
  text: new TextDecoder(encoding).decode(head),
  encoding: 'UTF-16',
})

/** As far as it takes to see whether it is JSON or XML, which are in the first 128 characters all through. */
function wide(head: Buffer, width: number, low: number): Decoded {
  let text = ''
  for (let at = 0; at + width <= head.length; at += width) text += String.fromCharCode(head[at + low] ?? 0)
  return { text: text.replace(/^\u00ff/, ''), encoding: 'UTF-32' }
}
