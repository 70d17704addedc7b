import type { Entry } from '@zip.js/zip.js'
import { DocumentError } from '../document.ts'
import type { Indexed, PackedEntry } from './packed-entry.ts'

/** Maximum size of the list of entries, which is held in memory. */
const LIST_LIMIT = 64 * 1024 * 1024

/** Yields the files in a zip archive. Each must be read before the next one is requested. */
export async function* zipEntries(archive: Indexed, password: string | undefined): AsyncGenerator<PackedEntry> {
  const { configure, Reader, ZipReader } = await import('@zip.js/zip.js')
  configure({ useWebWorkers: false })
  const source = Object.assign(new Reader(archive), {
    size: archive.size,
    readUint8Array: async (index: number, length: number): Promise<Uint8Array> => {
      if (length > LIST_LIMIT) throw new DocumentError('the list of entries in the zip archive is too long')
      return archive.read(index, length)
    },
  })
  const reader = new ZipReader(source, {
    strictness: 'balanced',
    // Names are validated in the same way for all kinds of archives.
    filenameValidation: 'tolerant',
    checkOverlappingEntry: true,
    checkCrc32: true,
    ...(password !== undefined && { password }),
  })
  try {
    for await (const entry of reader.getEntriesGenerator()) yield* entryOf(entry, password)
  } catch (error) {
    throw faultOf(error, '')
  } finally {
    await reader.close()
  }
}

function* entryOf(entry: Entry, password: string | undefined): Generator<PackedEntry> {
  const { filename, encrypted, compressedSize, uncompressedSize } = entry
  if (entry.symlink) throw new DocumentError(`${filename}: links are not allowed in archives`)
  if (entry.directory) return
  if (encrypted && password === undefined) {
    throw new DocumentError(`${filename}: is encrypted, but no password was given`)
  }
  yield {
    name: filename,
    content: contentOf(entry),
    packed: () => compressedSize,
    announced: { size: uncompressedSize, packed: compressedSize },
  }
}

async function* contentOf(entry: Exclude<Entry, { directory: true }>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const stop = new AbortController()
  const unpacking = entry.getData(writable, { signal: stop.signal })
  // It may fail before anything is written.
  unpacking.catch((error) => writable.abort(error).catch(() => {}))
  try {
    yield* readable
    await unpacking
  } catch (error) {
    throw faultOf(error, `${entry.filename}: `)
  } finally {
    stop.abort()
    await unpacking.catch(() => {})
  }
}

/** Translates the messages of zip.js. */
const FAULTS: readonly (readonly [said: RegExp, fault: string])[] = [
  [/invalid password/i, 'the password is wrong'],
  [/crc-?32|signature|authentication code|compressed data/i, 'is damaged, or the password is wrong'],
  [/overlapping/i, 'overlaps with another entry'],
  [/ambiguous/i, 'the archive is ambiguous'],
  [/encrypt/i, 'uses an unsupported encryption method'],
  [/compression method/i, 'uses an unsupported compression method'],
  [/split/i, 'the archive is one part of several'],
]

function faultOf(error: unknown, where: string): Error {
  if (error instanceof DocumentError) return error
  const { message = '', code } = error as NodeJS.ErrnoException
  // Disk errors are not caused by the archive.
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return error as Error
  const known = FAULTS.find(([said]) => said.test(message))?.[1]
  return new DocumentError(`${where}${known ?? `the zip archive is damaged: ${message}`}`)
}
