import type { EntityItem } from './compose.ts'
import type { Written } from './links.ts'

// By the first of the items that a request writes.
const folded = new WeakMap<EntityItem, readonly Written[]>()

/**
 * Lets go of the data of entities, whose text the database is about to be given. It works for longer than it takes to read the
 * next request: what is left of this one by then, thousands of small objects, would be moved to the old heap, and fill it.
 */
export function fold(drafts: readonly Written[]): void {
  const [first] = drafts
  if (!first) return
  folded.set(first.item, drafts)
  for (const { item, entity } of drafts) {
    // Where the text has more than was sent, it does not tell what was.
    if (item.data === entity.data) put(item, entity, undefined)
  }
}

/** Reads the data of entities again: somebody wants to know it after all. */
export function unfold(drafts: readonly Written[]): void {
  for (const { item, entity } of drafts) {
    if (item.data === undefined) put(item, entity, JSON.parse(entity.text.toString()))
  }
}

/** The same for a request that is tried anew. */
export const unfoldItems = ([first]: readonly EntityItem[]): void => unfold((first && folded.get(first)) ?? [])

function put(item: { data: unknown }, entity: { data: unknown }, data: unknown): void {
  item.data = data
  entity.data = data
}
