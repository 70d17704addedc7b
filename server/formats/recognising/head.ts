import type { Document } from '../document.ts'

/** How much of a document is looked at to tell what it is. */
export const HEAD = 64 * 1024

/** The beginning of a document. */
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
