import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fitsPattern } from '../../domain/name-pattern.ts'
import type { MountPointDownloadConfiguration as Configuration } from '../transports/incoming/mount-point-download.ts'
import { type Collecting, type Collector, type Step, TransportError } from './collector.ts'
import { type IsInside, openFeedFolder } from './feed-folders.ts'
import { type Listed, progressOf } from './progress.ts'
import { addressHash } from './validators.ts'

const MOST_FILES = 100_000
const MOST_LEVELS = 20
/** A file that did not change for so long is not being written any more. */
const STABLE_MS = 2000
/** Neither follows a link that was put there in the meantime, nor waits for somebody to write. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface Found extends Listed {
  /** Where it was found, and where it really is. */
  readonly entry: string
  readonly path: string
  readonly name: string
  readonly stats: Stats
}

/** Reads the files of a folder that are new or have changed. */
export const readFolder: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, folders, signal } = collecting
  const { folder, isInside } = await openFeedFolder(folders, configuration.path)
  const files = await stableFiles(await findFiles(collecting, folder, isInside), signal)
  const address = addressHash(configuration.path)
  const progress = progressOf(cursor?.address === address ? cursor : null, files)
  for (const file of progress.left) {
    signal.throwIfAborted()
    const handle = await openFile(collecting, file, isInside)
    try {
      const cursor = { address, ...progress.note(handle !== undefined) }
      yield handle ? stepOf(collecting, file, handle, cursor) : { cursor }
    } finally {
      await handle?.close()
    }
  }
  yield { cursor: { address, ...progress.end() } }
}

async function findFiles(
  { configuration, log }: Collecting<Configuration>,
  folder: string,
  isInside: IsInside,
): Promise<Found[]> {
  const found: Found[] = []
  const look = async (place: string, level: number): Promise<void> => {
    const entries = await readdir(place, { withFileTypes: true }).catch(() => [] as Dirent[])
    for (const entry of entries) {
      const path = join(place, entry.name)
      if (entry.isDirectory() && configuration.is_recursive && level < MOST_LEVELS) await look(path, level + 1)
      if (!(entry.isFile() || entry.isSymbolicLink()) || !fitsPattern(entry.name, configuration.pattern)) continue
      const file = await fileAt(path, relative(folder, path), isInside)
      if (file === 'outside') log(`${entry.name} leads out of the folders that are allowed, and was left out.`)
      else if (file) found.push(file)
      if (found.length > MOST_FILES)
        throw new TransportError('too-large', `the folder has more than ${MOST_FILES} files`)
    }
  }
  await look(folder, 1)
  return found.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs || (a.name < b.name ? -1 : 1))
}

async function fileAt(path: string, name: string, isInside: IsInside): Promise<Found | 'outside' | undefined> {
  try {
    const real = await realpath(path)
    if (!isInside(real)) return 'outside'
    const stats = await stat(real)
    return stats.isFile()
      ? { entry: path, path: real, name, stats, key: `${name}\n${stats.size}\n${stats.mtimeMs}` }
      : undefined
  } catch {
    // It went in between, or is a link to nothing.
    return undefined
  }
}

/** Leaves out what is still being written: it changes, or was changed so lately that only waiting can tell. */
async function stableFiles(files: readonly Found[], signal: AbortSignal): Promise<Found[]> {
  const isFresh = ({ stats }: Found) => stats.mtimeMs > Date.now() - STABLE_MS
  if (!files.some(isFresh)) return [...files]
  const fresh = new Set(files.filter(isFresh))
  await sleep(STABLE_MS, undefined, { signal })
  const stable: Found[] = []
  for (const file of files) {
    if (!fresh.has(file) || isSame(file.stats, await stat(file.path).catch(() => undefined))) stable.push(file)
  }
  return stable
}

/** Opens a file as it was found; undefined where it is not any more, and then it is for another time. */
async function openFile(
  { largest, log }: Collecting<Configuration>,
  { path, name, stats }: Found,
  isInside: IsInside,
): Promise<FileHandle | undefined> {
  if (stats.size > largest) {
    log(`${name} is larger than ${largest} bytes, and was left out.`)
    return undefined
  }
  const handle = await open(path, READ_ONLY).catch(() => undefined)
  // A folder on the way may have become a link since: what counts is where the open file is.
  const isKept = handle && isSame(stats, await handle.stat()) && (await isAt(handle, path, isInside))
  if (isKept) return handle
  await handle?.close()
  log(`${name} changed or may not be read, and was left out.`)
  return undefined
}

async function isAt(handle: FileHandle, path: string, isInside: IsInside): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined)
  const there = real !== undefined && isInside(real) ? await stat(real).catch(() => undefined) : undefined
  return isSame(await handle.stat(), there)
}

function stepOf(
  { configuration, log }: Collecting<Configuration>,
  { entry, name, stats }: Found,
  handle: FileHandle,
  cursor: Step['cursor'],
): Step {
  const remove = async () => {
    // What was put in its place meanwhile is a file of its own.
    if (isSame(stats, await stat(entry).catch(() => undefined))) await unlink(entry)
  }
  const stored = () => remove().catch(() => log(`${name} was taken in, but could not be deleted.`))
  const piece = { name, content: contentOf(handle, name, stats), contentType: null }
  return { piece, cursor, ...(configuration.after === 'delete' && { stored }) }
}

async function* contentOf(handle: FileHandle, name: string, stats: Stats): AsyncGenerator<Buffer> {
  if (stats.size > 0) yield* handle.createReadStream({ autoClose: false, start: 0, end: stats.size - 1 })
  if (!isSame(stats, await handle.stat())) throw new TransportError('cut-off', `${name} changed while it was read`)
}

const isSame = (a: Stats, b: Stats | undefined): boolean =>
  b?.isFile() === true && a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs
