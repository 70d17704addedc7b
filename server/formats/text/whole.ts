import { type Document, DocumentError } from '../document.ts'

/** Maximum size of documents that are read as a whole. They need several times as much memory. */
export const LARGEST_DOCUMENT = 64 * 1024 * 1024

/** Reads all bytes of a document that cannot be processed in pieces. */
export async function wholeOf(document: Document, largest = LARGEST_DOCUMENT): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of document.open()) {
    size += chunk.length
    if (size > largest) throw new DocumentError(`The document exceeds ${largest} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
