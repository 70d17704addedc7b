import { randomBytes } from 'node:crypto'
import { constants, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { filename as plainName } from '../../http/filename.ts'
import { type FailureKind, TransportError } from '../collecting/collector.ts'
import { openFeedFolder } from '../collecting/feed-folders.ts'
import type { MountPointUploadConfiguration as Configuration } from '../transports/outgoing/mount-point-upload.ts'
import type { Carrier, Parcel } from './carrier.ts'

/**
 * Writes a block into a folder. It is written under a temporary name and renamed once it is safely on disk, so that readers never see a
 * part of it. Its signature is there before it.
 */
export const writeIntoFolder: Carrier<Configuration> = async (parcel, { configuration, folders, signal }) => {
  const { folder } = await openFeedFolder(folders, configuration.path)
  const name = nameOf(parcel, configuration)
  try {
    if (parcel.attempt > 1) await removeLeftovers(folder, parcel)
    await using signature = parcel.signature === null ? undefined : await write(folder, parcel, [parcel.signature])
    await using content = await write(folder, parcel, parcel.open(), parcel.size, signal)
    signal.throwIfAborted()
    // The folder may have been replaced by a link.
    if ((await realpath(folder)) !== folder)
      throw new TransportError('configuration', 'the folder was moved while the block was written')
    if (signature) await signature.renameTo(`${name}.asc`)
    // The signature of an earlier block would be taken for that of this one.
    else await rm(join(folder, `${name}.asc`), { force: true })
    await content.renameTo(name)
    await syncFolder(folder)
  } catch (error) {
    throw transportErrorOf(error)
  }
}

/** Ids increase with the blocks, so that file names sort in the order to apply them. */
function nameOf(parcel: Parcel, { filename: fixed }: Configuration): string {
  const name = plainName.safeParse(fixed === '' ? `${String(parcel.id).padStart(10, '0')}-${parcel.filename}` : fixed)
  if (name.success && name.data !== '' && Buffer.byteLength(`${name.data}.asc`) <= MAX_NAME_BYTES) return name.data
  throw new TransportError('configuration', 'the file name is not valid')
}

const MAX_NAME_BYTES = 255

const temporaryPrefixOf = ({ feed, id }: Parcel): string => `.corvus-${feed.id}-${id}-`

/** A temporary file, which is deleted unless it is renamed. */
interface TemporaryFile extends AsyncDisposable {
  renameTo(name: string): Promise<void>
}

async function write(
  folder: string,
  parcel: Parcel,
  pieces: AsyncIterable<Buffer> | Iterable<string>,
  size?: number,
  signal?: AbortSignal,
): Promise<TemporaryFile> {
  const path = join(folder, `${temporaryPrefixOf(parcel)}${randomBytes(6).toString('hex')}.part`)
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
  const remove = () => rm(path, { force: true })
  try {
    await file.writeFile(pieces, { signal })
    await file.sync()
    const written = (await file.stat()).size
    if (size !== undefined && written !== size) throw new Error(`Wrote ${written} bytes of ${size}.`)
  } catch (error) {
    await file.close()
    await remove()
    throw error
  }
  await file.close()
  return { renameTo: (name) => rename(path, join(folder, name)), [Symbol.asyncDispose]: remove }
}

/** Removes the files of an attempt that was killed. */
async function removeLeftovers(folder: string, parcel: Parcel): Promise<void> {
  const leftovers = (await readdir(folder)).filter((name) => name.startsWith(temporaryPrefixOf(parcel)))
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })))
}

/** A new name is durable once the folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const ERRORS: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ENOSPC: ['too-large', 'the disk is full'],
  EDQUOT: ['too-large', 'the disk is full'],
  EACCES: ['configuration', 'the folder is not writable'],
  EPERM: ['configuration', 'the folder is not writable'],
  EROFS: ['configuration', 'the folder is not writable'],
  EISDIR: ['configuration', 'a folder with the name of the file exists'],
  ENOTEMPTY: ['configuration', 'a folder with the name of the file exists'],
  ENOENT: ['not-found', 'the folder no longer exists'],
}

/** Translates a system error, whose message must not be shown because it contains the path. */
function transportErrorOf(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || syscall === undefined) return error
  const [kind, reason] = ERRORS[code] ?? ['internal', `the folder cannot be written (${code})`]
  return new TransportError(kind, reason, { cause: error })
}
