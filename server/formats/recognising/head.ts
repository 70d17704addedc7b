import type { Document } from '../document.ts'

/** How many bytes of a document are examined to recognise its format. */
export const HEAD = 64 * 1024

/** Returns the beginning of a document. */
export async function headOf(document: Document, size = HEAD): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of document.open()) {
    chunks.push(chunk.subarray(0, size - length))
    length += chunk.length
    if (length >= size) break
  }
  return Buffer.concat(chunks)
}
