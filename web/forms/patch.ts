import { type Document, isDocument, isSame } from './paths.ts'

/**
 * The merge patch that turns one document into another: objects merge by key, lists are replaced, null removes a key.
 * Undefined if nothing has changed.
 */
export function patchOf(before: Document, after: Document): Document | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = [...names].flatMap((name): [string, unknown][] => {
    const [old, now] = [before[name], after[name]]
    if (isSame(old, now)) return []
    if (now === undefined) return [[name, null]]
    return [[name, isDocument(old) && isDocument(now) ? patchOf(old, now) : now]]
  })
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}
