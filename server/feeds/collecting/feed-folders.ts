import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { TransportError } from './collector.ts'

/** Finds out whether something really lies in one of the folders that the operator allows, whatever links lead to it. */
export type IsInside = (realPath: string) => boolean

/** The real place of a folder that a feed names, and what else is in reach of it; refuses any that the operator does not allow. */
export async function openFeedFolder(
  folders: readonly string[],
  path: string,
): Promise<{ readonly folder: string; readonly isInside: IsInside }> {
  if (folders.length === 0) {
    throw new TransportError('configuration', 'CORVUS_FEED_FOLDERS allows no folder on this server')
  }
  const roots = (await Promise.all(folders.map(realOf))).filter((root) => root !== undefined)
  const isInside: IsInside = (place) => roots.some((root) => place === root || place.startsWith(`${root}${sep}`))
  const folder = await realOf(path)
  // Whether something is there is nobody's business outside of what is allowed.
  if (folder !== undefined && isInside(folder)) return { folder, isInside }
  const isNamedInside = folders.some((root) => path === root || path.startsWith(`${root}${sep}`))
  throw isNamedInside && folder === undefined
    ? new TransportError('not-found', 'the folder is not there, or may not be read')
    : new TransportError('configuration', 'the folder is in none that CORVUS_FEED_FOLDERS allows')
}

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
