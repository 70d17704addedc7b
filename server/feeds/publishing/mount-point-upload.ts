import { randomBytes } from 'node:crypto'
import { constants, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { filename as plainName } from '../../http/filename.ts'
import { type FailureKind, TransportError } from '../collecting/collector.ts'
import { openFeedFolder } from '../collecting/feed-folders.ts'
import type { MountPointUploadConfiguration as Configuration } from '../transports/outgoing/mount-point-upload.ts'
import type { Carrier, Parcel } from './carrier.ts'

/**
 * Writes a block into a folder. Under its name there is either nothing, what was there before, or all of the block: it is
 * written under another name, and renamed when it is safe on the disk. Its signature is there before it.
 */
export const writeIntoFolder: Carrier<Configuration> = async (parcel, { configuration, folders, signal }) => {
  const { folder } = await openFeedFolder(folders, configuration.path)
  const name = nameOf(parcel, configuration)
  try {
    if (parcel.attempt > 1) await removeRests(folder, parcel)
    await using signature = parcel.signature === null ? undefined : await write(folder, parcel, [parcel.signature])
    await using content = await write(folder, parcel, parcel.open(), parcel.size, signal)
    signal.throwIfAborted()
    // Somebody may have put a link in the place of the folder meanwhile.
    if ((await realpath(folder)) !== folder) throw new TransportError('configuration', 'the folder was moved meanwhile')
    if (signature) await signature.become(`${name}.asc`)
    // One of an earlier block would be taken for that of this one.
    else await rm(join(folder, `${name}.asc`), { force: true })
    await content.become(name)
    await settle(folder)
  } catch (error) {
    throw faultOf(error)
  }
}

/** Numbers rise with the blocks, so that their names are in the order in which they have to be applied. */
function nameOf(parcel: Parcel, { filename: fixed }: Configuration): string {
  const name = plainName.safeParse(fixed === '' ? `${String(parcel.id).padStart(10, '0')}-${parcel.filename}` : fixed)
  if (name.success && name.data !== '' && Buffer.byteLength(`${name.data}.asc`) <= LONGEST_NAME) return name.data
  throw new TransportError('configuration', 'no file can have this name')
}

const LONGEST_NAME = 255

const restOf = ({ feed, id }: Parcel): string => `.corvus-${feed.id}-${id}-`

/** A file on its way, which vanishes unless it becomes one with a name. */
interface Written extends AsyncDisposable {
  become(name: string): Promise<void>
}

async function write(
  folder: string,
  parcel: Parcel,
  pieces: AsyncIterable<Buffer> | Iterable<string>,
  size?: number,
  signal?: AbortSignal,
): Promise<Written> {
  const path = join(folder, `${restOf(parcel)}${randomBytes(6).toString('hex')}.part`)
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
  return { become: (name) => rename(path, join(folder, name)), [Symbol.asyncDispose]: remove }
}

/** What an attempt left that was killed. */
async function removeRests(folder: string, parcel: Parcel): Promise<void> {
  const rests = (await readdir(folder)).filter((name) => name.startsWith(restOf(parcel)))
  await Promise.all(rests.map((name) => rm(join(folder, name), { force: true })))
}

/** New names are safe once the folder is. */
async function settle(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const FAULTS: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ENOSPC: ['too-large', 'there is no room left in the folder'],
  EDQUOT: ['too-large', 'there is no room left in the folder'],
  EACCES: ['configuration', 'the folder may not be written'],
  EPERM: ['configuration', 'the folder may not be written'],
  EROFS: ['configuration', 'the folder may not be written'],
  EISDIR: ['configuration', 'there is a folder under the name of the file'],
  ENOTEMPTY: ['configuration', 'there is a folder under the name of the file'],
  ENOENT: ['not-found', 'the folder is not there any more'],
}

/** What the system says has the path in it, and stays here. */
function faultOf(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || syscall === undefined) return error
  const [kind, reason] = FAULTS[code] ?? ['internal', `the folder cannot be written (${code})`]
  return new TransportError(kind, reason, { cause: error })
}
