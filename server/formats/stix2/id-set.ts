import type { ScratchFile } from '../scratch.ts'
import { idIndex } from './id-index.ts'

/** A set of STIX 2 ids that takes about thirty bytes per id, most of them in a file if one is available. */
export interface IdSet {
  /** Adds an id; returns true if it was new. */
  add(id: string): boolean
  has(id: string): boolean
}

/** Creates an empty set of ids. */
export function idSet(openFile?: () => ScratchFile): IdSet {
  const index = idIndex(openFile)
  return {
    has: (id) => index.indexOf(id) >= 0,
    add: (id) => index.size === index.add(id),
  }
}
