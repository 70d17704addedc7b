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

/** The same parameters as those of a request, but for the scope, which is given as the entities of a list. */
export interface Asked {
  readonly matrix: string
  readonly by: string
  readonly aggregate: string
  readonly relations: boolean
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
    for (const id of nodesOf(seen, entity, asked.relations)) {
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

/** The nodes that an entity counts for: its own, and those of what it is related to. */
export function nodesOf({ entities, relationships }: Listed, entity: ListedEntity, isRelated: boolean): Set<string> {
  const nodes = new Set(entity.nodes)
  if (!isRelated) return nodes
  const own = new Set([entity.id, ...entities.filter(({ unified }) => unified === entity.id).map(({ id }) => id)])
  const others = relationships.flatMap(([from, to]) => [...(own.has(from) ? [to] : []), ...(own.has(to) ? [from] : [])])
  for (const other of others) {
    for (const node of entities.find(({ id }) => id === other)?.nodes ?? []) nodes.add(node)
  }
  return nodes
}

const DAY = 86_400_000

function weightOf({ start }: ListedEntity, { at, halfLife }: Asked): number {
  return start === null ? 0 : 0.5 ** (Math.max(at - start, 0) / DAY / halfLife)
}
