import { createGunzip } from 'node:zlib'
import { type Document, DocumentError } from '../document.ts'
import type { PackedEntry } from './packed-entry.ts'

const PIECE = 64 * 1024

/** Yields the single document in a gzip file. */
export async function* gzipEntries(document: Document): AsyncGenerator<PackedEntry> {
  let taken = 0
  const counted = async function* () {
    for await (const bytes of document.open()) {
      // In small chunks, so that the input count reflects the compression ratio.
      for (let at = 0; at < bytes.length; at += PIECE) {
        const piece = bytes.subarray(at, at + PIECE)
        taken += piece.length
        yield piece
      }
    }
  }
  yield { name: innerName(document.name), content: gunzipped(counted()), packed: () => taken }
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE })
  const feeding = feed(packed, gunzip)
  try {
    yield* gunzip
    await feeding
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new DocumentError('the gzip file is truncated')
    if (code.startsWith('Z_')) throw new DocumentError(`the gzip file is damaged: ${(error as Error).message}`)
    throw error
  } finally {
    gunzip.destroy()
    await feeding.catch(() => {})
  }
}

async function feed(packed: AsyncIterable<Buffer>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  for await (const bytes of packed) {
    if (gunzip.destroyed) return
    if (!gunzip.write(bytes)) {
      await new Promise<void>((resolve) => {
        gunzip.once('drain', resolve).once('close', resolve)
      })
    }
  }
  gunzip.end()
}

/** `report.json.gz` contains `report.json`, and `files.tgz` contains `files.tar`. */
function innerName(name: string): string {
  const last = name.split('/').at(-1) ?? ''
  if (/\.t[ag]z$/i.test(last)) return last.replace(/\.t[ag]z$/i, '.tar')
  return last.replace(/\.gz(?:ip)?$/i, '') || 'content'
}
