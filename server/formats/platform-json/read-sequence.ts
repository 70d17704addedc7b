import type { Document } from '../document.ts'
import { cutValue } from '../json/cut-value.ts'
import { inexactIn } from '../json/inexact.ts'
import { inputOf, nextByte, placeOf } from '../json/input.ts'
import { parseValue } from '../json/parse-value.ts'

const NEWLINE = 0x0a

/** Maximum length of the first line. */
const FIRST_LINE_LIMIT = 4 * 1024 * 1024

/** Whether a document is a sequence of JSON objects, one per line: whether more follows the first line. */
export async function isSequence(document: Document): Promise<boolean> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of document.open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size > FIRST_LINE_LIMIT) break
    // A line that ends with the chunk may be the last one, so the next chunk decides.
    const end = chunk.indexOf(NEWLINE)
    if (
      end >= 0 &&
      chunk
        .subarray(end + 1)
        .toString('latin1')
        .trim() !== ''
    )
      break
  }
  const head = Buffer.concat(chunks).toString('utf8').trimStart()
  const end = head.indexOf('\n')
  if (!/^\uFEFF?\{/.test(head) || end < 0) return false
  return head.slice(end).trim() !== '' && isJson(head.slice(0, end))
}

/** Yields the values of a sequence, with their lines and losses of numeric precision. Any error is a DocumentError. */
export async function* readSequence(
  document: Document,
): AsyncGenerator<{ readonly line: number; readonly value: unknown; readonly losses: readonly string[] }> {
  const input = await inputOf(document)
  try {
    while ((await nextByte(input)) !== undefined) {
      const { line } = placeOf(input)
      const cut = await cutValue(input)
      yield { line, value: parseValue(cut), losses: inexactIn(cut.text) }
    }
  } finally {
    await input.chunks.return?.()
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}
