import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { TransportError } from './collector.ts'

/** Whether a real path, with all links resolved, is inside a folder that the operator allows. */
export type IsInside = (realPath: string) => boolean

/** Resolves the folder that a feed names, and refuses one that the operator does not allow. */
export async function openFeedFolder(
  folders: readonly string[],
  path: string,
): Promise<{ readonly folder: string; readonly isInside: IsInside }> {
  if (folders.length === 0) {
    throw new TransportError('configuration', 'CORVUS_FEED_FOLDERS allows no folder on this server')
  }
  const roots = (await Promise.all(folders.map(realOf))).filter((root) => root !== undefined)
  const isInside: IsInside = (path) => roots.some((root) => path === root || path.startsWith(`${root}${sep}`))
  const folder = await realOf(path)
  // The message must not reveal whether something exists outside of the allowed folders.
  if (folder !== undefined && isInside(folder)) return { folder, isInside }
  const isNamedInside = folders.some((root) => path === root || path.startsWith(`${root}${sep}`))
  throw isNamedInside && folder === undefined
    ? new TransportError('not-found', 'the folder does not exist or cannot be read')
    : new TransportError('configuration', 'the folder is outside of those that CORVUS_FEED_FOLDERS allows')
}

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
