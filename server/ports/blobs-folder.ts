import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, type Blobs, type Draft, requireKey } from './blobs.ts'
import { type DraftFile, removeAbandoned, spool, writeDraft } from './drafts.ts'
import { scratchFile } from './scratch-file.ts'

const PIECE = 256 * 1024

/** Stores blobs as files in a folder that all processes of the installation share. */
export function openFolder(folder: string): Blobs {
  const incoming = join(folder, 'incoming')
  // Subfolders keep each folder small: a folder with a million files is slow.
  const pathOf = (key: string) => join(folder, requireKey(key).slice(0, 2), key.slice(2, 4), key)
  const sizeOf = async (key: string) => (await stat(pathOf(key)).catch(absent))?.size
  return {
    place: `the folder ${folder}`,
    folder,
    receive: async (content, mostBytes) => {
      const file = await writeDraft(incoming, content, mostBytes)
      return draftOf(file, async () => {
        if ((await sizeOf(file.sha256)) !== file.size) await put(file, pathOf(file.sha256), folder)
      })
    },
    spool: (content, mostBytes) => spool(incoming, content, mostBytes),
    scratch: () => scratchFile(incoming),
    open: (key, span) => read(pathOf(key), key, span),
    exists: async (key) => (await sizeOf(key)) !== undefined,
    remove: (key) => rm(pathOf(key), { force: true }),
    check: async () => {
      const file = await writeDraft(incoming, nothing())
      await draftOf(file, async () => {})[Symbol.asyncDispose]()
    },
    tidy: () => removeAbandoned(incoming),
  }
}

/** A draft that can be kept once. Its file is removed afterwards in any case. */
export function draftOf(file: DraftFile, keep: () => Promise<void>): Draft {
  const { path, handle, size, sha256, sha1, md5 } = file
  return {
    size,
    sha256,
    sha1,
    md5,
    keep,
    [Symbol.asyncDispose]: async () => {
      await handle.close().catch(() => {})
      await rm(path, { force: true })
    },
  }
}

/** Makes a file visible only once all its bytes are on disk, and its name durable across a power failure. */
async function put({ path, handle }: DraftFile, target: string, folder: string): Promise<void> {
  await handle.sync()
  const parent = dirname(target)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await rename(path, target)
  for (const each of [parent, dirname(parent), folder]) await flushFolder(each)
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* read(path: string, key: string, span?: { start: number; end: number }): AsyncGenerator<Buffer> {
  if (span && span.end <= span.start) return
  const part = span && { start: span.start, end: span.end - 1 }
  const stream = createReadStream(path, { highWaterMark: PIECE, ...part })
  try {
    yield* stream
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(`The blob ${key} is missing.`)
    throw error
  } finally {
    stream.destroy()
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}
