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

const MAX_FILES = 100_000
const MAX_DEPTH = 20
/** A file that has not changed for this long is completely written. */
const STABLE_MS = 2000
/** Does not follow a link that was created in the meantime, and does not block on a pipe without a writer. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface Found extends Listed {
  /** The path where it was found; `path` is its real path. */
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
  const visit = async (place: string, level: number): Promise<void> => {
    const entries = await readdir(place, { withFileTypes: true }).catch(() => [] as Dirent[])
    for (const entry of entries) {
      const path = join(place, entry.name)
      if (entry.isDirectory() && configuration.is_recursive && level < MAX_DEPTH) await visit(path, level + 1)
      if (!(entry.isFile() || entry.isSymbolicLink()) || !fitsPattern(entry.name, configuration.pattern)) continue
      const file = await fileAt(path, relative(folder, path), isInside)
      if (file === 'outside') log(`${entry.name} links outside of the allowed folders and was skipped.`)
      else if (file) found.push(file)
      if (found.length > MAX_FILES) throw new TransportError('too-large', `the folder has more than ${MAX_FILES} files`)
    }
  }
  await visit(folder, 1)
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
    // It was deleted in the meantime, or is a dangling link.
    return undefined
  }
}

/** Skips files that are still being written. For those that changed a moment ago, only waiting shows this. */
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

/** Opens a file if it is still as it was found; otherwise it is left for the next run. */
async function openFile(
  { maxPieceBytes, log }: Collecting<Configuration>,
  { path, name, stats }: Found,
  isInside: IsInside,
): Promise<FileHandle | undefined> {
  if (stats.size > maxPieceBytes) {
    log(`${name} is larger than ${maxPieceBytes} bytes and was skipped.`)
    return undefined
  }
  const handle = await open(path, READ_ONLY).catch(() => undefined)
  // A folder of the path may have become a link since, so that the location of the open file has to be checked.
  const isKept = handle && isSame(stats, await handle.stat()) && (await isAt(handle, path, isInside))
  if (isKept) return handle
  await handle?.close()
  log(`${name} changed or cannot be read, and was skipped.`)
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
    // A file that has replaced it in the meantime must stay.
    if (isSame(stats, await stat(entry).catch(() => undefined))) await unlink(entry)
  }
  const stored = () => remove().catch(() => log(`${name} was imported but could not be deleted.`))
  const piece = { name, content: contentOf(handle, name, stats), contentType: null }
  return { piece, cursor, ...(configuration.after === 'delete' && { stored }) }
}

async function* contentOf(handle: FileHandle, name: string, stats: Stats): AsyncGenerator<Buffer> {
  if (stats.size > 0) yield* handle.createReadStream({ autoClose: false, start: 0, end: stats.size - 1 })
  if (!isSame(stats, await handle.stat())) throw new TransportError('cut-off', `${name} changed while it was read`)
}

const isSame = (a: Stats, b: Stats | undefined): boolean =>
  b?.isFile() === true && a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs
