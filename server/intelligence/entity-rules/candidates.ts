import type { Seeing } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { StoredEntity } from '../entities/store.ts'
import type { Rule } from './rule.ts'

/** The rules that an entity matches but for their content criteria, and that its owner sees. */
export type Candidates = (entity: Pick<StoredEntity, 'type' | 'vis'>) => readonly Rule[]

/** Finds rules by the type, source and colour of an entity. The entities of a write have few combinations of these. */
export function candidatesAmong(rules: readonly Rule[], owners: ReadonlyMap<number, Seeing>): Candidates {
  const keys = new Map([...owners].map(([id, { sight }]) => [id, new Set(sight.keys)]))
  const known = new Map<string, readonly Rule[]>()
  return ({ type, vis }) => {
    const name = `${type} ${vis}`
    const found =
      known.get(name) ?? rules.filter((rule) => isFor(rule, type, vis) && keys.get(rule.owner ?? 0)?.has(vis) === true)
    known.set(name, found)
    return found
  }
}

const isFor = ({ types, sources, ranks }: Rule, type: string, vis: number): boolean =>
  (types.size === 0 || types.has(type)) &&
  (sources.size === 0 || sources.has(sourceOf(vis))) &&
  (ranks.size === 0 || ranks.has(rankOf(vis)))
