import type { Bundle, BundleObject } from './bundle-objects.ts'

/** A technique, and the tactics that it belongs to. */
export interface Placed {
  readonly object: BundleObject
  readonly tactics: readonly string[]
}

/**
 * Puts revoked techniques that name no tactic, as in many versions, below the tactics of what took their place. Otherwise the revocation would be
 * lost, and with it the successors of what is classified with them.
 */
export function placeRevoked({ links }: Bundle, techniques: readonly Placed[]): Placed[] {
  const byId = new Map(techniques.map((each) => [each.object.id, each]))
  const next = Map.groupBy(
    links.filter(({ type }) => type === 'revoked-by'),
    ({ source }) => source,
  )
  const tacticsInstead = (id: string): string[] => {
    const found = new Set<string>()
    const seen = new Set<string>()
    const open = [id]
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (seen.has(each)) continue
      seen.add(each)
      const { tactics = [] } = byId.get(each) ?? {}
      for (const tactic of tactics) found.add(tactic)
      if (tactics.length === 0) open.push(...(next.get(each) ?? []).map(({ target }) => target))
    }
    return [...found]
  }
  return techniques.map(({ object, tactics }) => ({
    object,
    tactics: tactics.length === 0 && object.state === 'revoked' ? tacticsInstead(object.id) : tactics,
  }))
}
