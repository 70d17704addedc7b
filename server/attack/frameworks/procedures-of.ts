import type { Bundle } from './bundle-objects.ts'
import type { FrameworkNode, FrameworkProcedure } from './framework.ts'
import { plainText } from './plain-text.ts'

/** Longer descriptions say more than how one technique was used. */
const LONGEST = 4_000

/** How live techniques were used, as the relationships of a bundle describe it. */
export function proceduresOf({ links }: Bundle, nodes: readonly FrameworkNode[]): FrameworkProcedure[] {
  const techniques = new Map(
    nodes.filter(({ state }) => state === 'live').map(({ stix_id, external_id }) => [stix_id, external_id]),
  )
  return links.flatMap(({ type, target, description }): FrameworkProcedure[] => {
    const technique = type === 'uses' ? techniques.get(target) : undefined
    if (technique === undefined) return []
    const text = plainText(description.slice(0, LONGEST))
    return text === '' ? [] : [{ technique, text }]
  })
}
