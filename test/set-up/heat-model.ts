/** A node of a matrix as it is listed. */
export interface ListedNode {
  readonly id: string
  readonly type: string
  readonly matrix: string
  readonly parent: string | null
  readonly state: string
  readonly successors: readonly string[]
}

/** What the model needs to know of an entity as it is listed. */
export interface ListedEntity {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly nodes: readonly string[]
  /** Milliseconds; null without a start. */
  readonly start: number | null
  /** The visible unified entity that it contributes to. */
  readonly unified: string | null
}

/** What a reader sees, as lists have it. */
export interface Listed {
  readonly entities: readonly ListedEntity[]
  readonly relationships: readonly (readonly [string, string])[]
  readonly nodes: ReadonlyMap<string, ListedNode>
}

/** The same parameters as those of a request, but for which entities count: these are given. */
export interface Asked {
  readonly matrix: string
  readonly by: string
  readonly aggregate: string
  readonly halfLife: number
  readonly at: number
}

interface Row {
  readonly id: string
  count: number
  score: number
  readonly by: Record<string, number>
}

/** The heat of entities in memory, one after the other, with no thought of speed. */
export function modelHeat(seen: Listed, scope: readonly ListedEntity[], asked: Asked, groupsOf: GroupsOf) {
  const rows = new Map<string, Row>()
  const rowOf = (id: string): Row => {
    const row = rows.get(id) ?? { id, count: 0, score: 0, by: {} }
    rows.set(id, row)
    return row
  }
  for (const entity of scope) {
    for (const id of entity.nodes) {
      const node = seen.nodes.get(id)
      if (node && node.matrix !== asked.matrix) continue
      const row = rowOf(id)
      row.count++
      row.score += asked.by === 'recency' ? weightOf(entity, asked) : 1
      for (const group of groupsOf(entity)) row.by[group] = (row.by[group] ?? 0) + 1
    }
  }
  const isLive = ({ id }: Row) => seen.nodes.get(id)?.state === 'live'
  const own = [...rows.values()].filter(isLive).map((row) => ({ ...row }))
  const outside = [...rows.values()].filter((row) => !isLive(row))
  for (const { id, score } of own) {
    const node = seen.nodes.get(id)
    if (asked.aggregate === 'none' || node?.type !== 'subtechnique' || !node.parent) continue
    const technique = rowOf(node.parent)
    technique.score = asked.aggregate === 'sum' ? technique.score + score : Math.max(technique.score, score)
  }
  return { data: [...rows.values()].filter(isLive), outside }
}

export type GroupsOf = (entity: ListedEntity) => readonly string[]

/** Some entities, and those at the other end of their relationships. A unified entity has those of its contributors, at either end. */
export function withRelated({ entities, relationships }: Listed, chosen: readonly ListedEntity[]): Set<string> {
  const ids = new Set(chosen.map(({ id }) => id))
  const contributors = entities.filter(({ unified }) => unified !== null && ids.has(unified)).map(({ id }) => id)
  const near = ids.union(new Set(contributors))
  const far = new Set(
    relationships.flatMap(([from, to]) => [...(near.has(from) ? [to] : []), ...(near.has(to) ? [from] : [])]),
  )
  const unified = entities.flatMap(({ id, unified }) => (far.has(id) && unified !== null ? [unified] : []))
  return ids.union(far).union(new Set(unified))
}

const DAY = 86_400_000

function weightOf({ start }: ListedEntity, { at, halfLife }: Asked): number {
  return start === null ? 0 : 0.5 ** (Math.max(at - start, 0) / DAY / halfLife)
}
