import { type Document, DocumentError } from '../document.ts'

/** What is read as a whole has to fit into memory, several times. */
export const LARGEST_DOCUMENT = 64 * 1024 * 1024

/** All bytes of a document that cannot be read in pieces. */
export async function wholeOf(document: Document, largest = LARGEST_DOCUMENT): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of document.open()) {
    size += chunk.length
    if (size > largest) throw new DocumentError(`The document is larger than ${largest} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
