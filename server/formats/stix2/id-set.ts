import type { ScratchFile } from '../scratch.ts'
import { idIndex } from './id-index.ts'

/** A set of ids of STIX 2 that takes some thirty bytes for each; most of them are in a file, where there is one. */
export interface IdSet {
  /** Adds an id; whether it was not there already. */
  add(id: string): boolean
  has(id: string): boolean
}

/** An empty set of ids. */
export function idSet(openFile?: () => ScratchFile): IdSet {
  const index = idIndex(openFile)
  return {
    has: (id) => index.indexOf(id) >= 0,
    add: (id) => index.size === index.add(id),
  }
}
