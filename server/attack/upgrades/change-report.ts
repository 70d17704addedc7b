import type { DefenseType, Framework, FrameworkNode } from '../frameworks/framework.ts'
import type { StoredNode } from './complete.ts'
import { areComparable, isOlder } from './is-older.ts'
import type { StoredFramework } from './stored.ts'

interface NamedNode {
  readonly id: string
  readonly name: string
}

interface DeadNode extends NamedNode {
  readonly successors: readonly string[]
}

interface NamedDefense {
  readonly type: DefenseType
  readonly external_id: string
  readonly name: string
}

/** What differs between the stored version of a matrix and another one. */
export interface ChangeReport {
  readonly new: readonly NamedNode[]
  readonly live_again: readonly NamedNode[]
  readonly revoked: readonly DeadNode[]
  readonly deprecated: readonly DeadNode[]
  readonly renamed: readonly { readonly id: string; readonly before: string; readonly after: string }[]
  /** Techniques that have other places. */
  readonly moved: readonly {
    readonly external_id: string
    readonly name: string
    readonly from: readonly string[]
    readonly to: readonly string[]
  }[]
  readonly text_changed: readonly NamedNode[]
  /** How many nodes get a description that had none. */
  readonly texts_added: number
  readonly new_defenses: readonly NamedDefense[]
  readonly removed_defenses: readonly NamedDefense[]
  readonly relationships: { readonly new: number; readonly removed: number }
  /** What of the document could not be used, and what to check. */
  readonly warnings: readonly string[]
}

/** Compares a version with the stored one. The version must have its completed nodes. */
export function reportOf(stored: StoredFramework, next: Framework, warnings: readonly string[]): ChangeReport {
  const before = new Map(stored.nodes.map((node) => [node.id, node]))
  const after = new Map(next.nodes.map((node) => [node.id, node]))
  const moved = movedIn(stored.nodes, next.nodes)
  const places = new Set(moved.flatMap(({ from, to }) => [...from, ...to]))
  const live = next.nodes.filter(isLive)
  const stays = live.flatMap((node) => {
    const was = before.get(node.id)
    return was && isLive(was) ? [{ was, node }] : []
  })
  const dying = stored.nodes.filter((node) => isLive(node) && !isLive(after.get(node.id) ?? DEAD))
  const dead = dying.filter(({ id }) => !places.has(id)).map((was) => ({ was, node: after.get(was.id) }))
  const deadAs = (wanted: boolean): DeadNode[] =>
    dead
      .filter(({ node }) => (node?.state === 'revoked') === wanted)
      .map(({ was, node }) => ({ id: was.id, name: was.name, successors: node?.successors ?? [] }))
  return {
    new: live.filter(({ id }) => !before.has(id) && !places.has(id)).map(named),
    live_again: live.filter(({ id }) => !isLive(before.get(id) ?? { state: 'live' }) && !places.has(id)).map(named),
    revoked: deadAs(true),
    deprecated: deadAs(false),
    renamed: stays
      .filter(({ was, node }) => was.name !== node.name)
      .map(({ was, node }) => ({ id: node.id, before: was.name, after: node.name })),
    moved,
    text_changed: stays
      .filter(
        ({ was, node }) => was.description !== '' && node.description !== '' && was.description !== node.description,
      )
      .map(({ node }) => named(node)),
    texts_added: stays.filter(({ was, node }) => was.description === '' && node.description !== '').length,
    ...defensesIn(stored, next),
    relationships: relationshipsIn(stored, next),
    warnings: [...downgrade(stored, next), ...otherObjects(stays), ...warnings],
  }
}

const DEAD = { state: 'deprecated' } as const

const isLive = ({ state }: Pick<FrameworkNode, 'state'>): boolean => state === 'live'

const named = ({ id, name }: FrameworkNode): NamedNode => ({ id, name })

type Place = Pick<FrameworkNode, 'id' | 'name' | 'type' | 'external_id' | 'state'>

/** Techniques that are live in both versions, in different places. */
function movedIn(before: readonly Place[], after: readonly Place[]): ChangeReport['moved'] {
  const placesIn = (nodes: readonly Place[]) =>
    Map.groupBy(
      nodes.filter((node) => isLive(node) && (node.type === 'technique' || node.type === 'subtechnique')),
      ({ external_id }) => external_id,
    )
  const now = placesIn(after)
  return [...placesIn(before)].flatMap(([external_id, was]) => {
    const is = now.get(external_id)
    const [from, to] = [was, is ?? []].map((places) => places.map(({ id }) => id).sort())
    if (!is || !from || !to || from.join() === to.join()) return []
    return [{ external_id, name: is[0]?.name ?? '', from, to }]
  })
}

function defensesIn(stored: StoredFramework, next: Framework): Pick<ChangeReport, 'new_defenses' | 'removed_defenses'> {
  const shown = ({ type, external_id, name }: NamedDefense): NamedDefense => ({ type, external_id, name })
  const before = new Set(stored.defenses.map(({ stix_id }) => stix_id))
  const after = new Set(next.defenses.map(({ stix_id }) => stix_id))
  return {
    new_defenses: next.defenses.filter(({ stix_id }) => !before.has(stix_id)).map(shown),
    removed_defenses: stored.defenses.filter(({ stix_id }) => !after.has(stix_id)).map(shown),
  }
}

/** A relationship counts once for each place of its technique. */
function relationshipsIn(stored: StoredFramework, { nodes, links }: Framework): ChangeReport['relationships'] {
  const places = Map.groupBy(nodes.filter(isLive), ({ external_id }) => external_id)
  const before = new Set(stored.links)
  const after = new Set(
    links.flatMap(({ type, defense, technique }) =>
      (places.get(technique) ?? []).map(({ id }) => `${type} ${defense} ${id}`),
    ),
  )
  return {
    new: [...after].filter((link) => !before.has(link)).length,
    removed: [...before].filter((link) => !after.has(link)).length,
  }
}

function downgrade({ version: before }: StoredFramework, next: Framework): string[] {
  const after = next.version ?? ''
  if (isOlder(after, before))
    return [`${after} is older than ${before}, which is stored. Loading it goes back to the older version.`]
  if (before === '' || areComparable(after, before)) return []
  return [`${after} cannot be compared with ${before}, which is stored. Check which of them is newer.`]
}

/** Ids that stay although they belong to another object: their meaning may be another. */
function otherObjects(stays: readonly { readonly was: StoredNode; readonly node: FrameworkNode }[]): string[] {
  const others = stays.filter(({ was, node }) => was.stix_id !== node.stix_id).map(({ node }) => node.id)
  if (others.length === 0) return []
  const shown = others.slice(0, 20).join(', ')
  const more = others.length > 20 ? ` and ${others.length - 20} more` : ''
  return [`The publisher describes ${shown}${more} as another object than before. Check that the meaning is the same.`]
}
