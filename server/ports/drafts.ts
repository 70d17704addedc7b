import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Digest, type Spooled, TooLarge } from './blobs.ts'

/** A file with received bytes, under a temporary name. */
export interface DraftFile extends Digest {
  readonly path: string
  readonly handle: FileHandle
}

/** A draft that was not written to for this long belongs to a process that has ended. */
const ABANDONED_MS = 6 * 3600_000
const NEVER = Number.POSITIVE_INFINITY
const PIECE = 256 * 1024

/** Writes bytes to a new file in chunks, and removes it on failure. */
export async function writeDraft(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  mostBytes = NEVER,
): Promise<DraftFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  try {
    return { path, handle, ...(await fill(handle, content, mostBytes)) }
  } catch (error) {
    await handle.close()
    await rm(path, { force: true })
    throw error
  }
}

/** Writes bytes to a file without a name, which disappears with the process, even after a crash. */
export async function spool(folder: string, content: AsyncIterable<Uint8Array>, mostBytes = NEVER): Promise<Spooled> {
  const { path, handle, size } = await writeDraft(folder, content, mostBytes)
  await rm(path)
  const read = async (start: number, length: number): Promise<Buffer> => {
    const room = Buffer.alloc(Math.max(0, Math.min(length, size - start)))
    const { bytesRead } = await handle.read(room, 0, room.length, start)
    return room.subarray(0, bytesRead)
  }
  return {
    size,
    read,
    // Reads by position, so that several readers can share the file.
    open: async function* () {
      for (let at = 0; at < size; ) {
        const bytes = await read(at, PIECE)
        if (bytes.length === 0) throw new Error('A spooled file has been truncated.')
        yield bytes
        at += bytes.length
      }
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** Removes the drafts of ended processes. Drafts of running processes in the same folder are kept. */
export async function removeAbandoned(folder: string, now = Date.now()): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(folder, name)
    const known = await stat(path).catch(() => undefined)
    if (!known?.isFile() || now - known.mtimeMs < ABANDONED_MS) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

async function fill(handle: FileHandle, content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Digest> {
  const [sha256, sha1, md5] = [createHash('sha256'), createHash('sha1'), createHash('md5')]
  let size = 0
  for await (const bytes of content) {
    size += bytes.length
    if (size > mostBytes) throw new TooLarge(mostBytes)
    for (const hash of [sha256, sha1, md5]) hash.update(bytes)
    await writeWhole(handle, bytes)
  }
  return { size, sha256: sha256.digest('hex'), sha1: sha1.digest('hex'), md5: md5.digest('hex') }
}

/** On a nearly full disk, a write may succeed only in part, which shows only in the returned count. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, null)
    done += bytesWritten
  }
}
