import type { Bundle } from './bundle-objects.ts'
import type { FrameworkNode } from './framework.ts'

/** The same nodes, with the live nodes that took the place of dead ones. */
export function successorsOf({ links }: Bundle, nodes: readonly FrameworkNode[], faults: string[]): FrameworkNode[] {
  const next = new Map<string, string[]>()
  for (const { type, source, target } of links)
    if (type === 'revoked-by') next.set(source, [...(next.get(source) ?? []), target])
  const places = new Map<string, FrameworkNode[]>()
  for (const node of nodes) places.set(node.stix_id, [...(places.get(node.stix_id) ?? []), node])
  const stateOf = (stixId: string) => places.get(stixId)?.[0]?.state
  const looping = new Set<string>()

  /** The live objects at the end of the chains of revocations. A chain may also end at something dead. */
  const endsOf = (stixId: string): string[] => {
    const ends: string[] = []
    const seen = new Set([stixId])
    const open = [...(next.get(stixId) ?? [])]
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (each === stixId) looping.add(stixId)
      if (seen.has(each)) continue
      seen.add(each)
      if (stateOf(each) === 'live') ends.push(each)
      else open.push(...(next.get(each) ?? []))
    }
    return ends
  }

  const made = nodes.map((node) => {
    if (node.state === 'live') return node
    const successors = endsOf(node.stix_id).flatMap((end) => {
      const all = places.get(end) ?? []
      const same = all.filter(({ id }) => tacticOf(id) === tacticOf(node.id))
      return (same.length > 0 ? same : all).map(({ id }) => id)
    })
    return { ...node, successors: [...new Set(successors)].sort() }
  })
  for (const id of looping) faults.push(`${places.get(id)?.[0]?.id ?? id} is revoked by itself, over others.`)
  return made
}

const tacticOf = (id: string): string => id.split(':')[0] ?? id
