import { Readable } from 'node:stream'
import { safeName } from '../../../formats/attachments-zip/safe-name.ts'

/** What analysts everywhere protect samples with: it keeps programs from opening them by accident. */
export const SAMPLE_PASSWORD = 'infected'

/** A zip archive with one file, encrypted with AES-256, written while it is read. */
export async function archiveOf(name: string, content: AsyncIterable<Uint8Array>): Promise<Readable> {
  const { configure, ZipWriter } = await import('@zip.js/zip.js')
  configure({ useWebWorkers: false })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = new ZipWriter(writable, { password: SAMPLE_PASSWORD, encryptionStrength: 3, level: 0 })
  const written = writer
    .add(safeName(name, 'sample'), ReadableStream.from(content) as ReadableStream<Uint8Array>)
    .then(() => writer.close())
  const archive = Readable.from(readable as AsyncIterable<Uint8Array>, { objectMode: false })
  written.catch((error: unknown) => archive.destroy(error as Error))
  return archive
}
