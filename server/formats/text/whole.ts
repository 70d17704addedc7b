import { type Document, DocumentError } from '../document.ts'

/** Maximum size of documents that are read as a whole. They need several times as much memory. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

/** Reads all bytes of a document that cannot be processed in pieces. */
export async function wholeOf(document: Document, maxBytes = MAX_DOCUMENT_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of document.open()) {
    size += chunk.length
    if (size > maxBytes) throw new DocumentError(`The document exceeds ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
