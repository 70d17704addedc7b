import { joinTexts } from './layers/merge-techniques.ts'
import type { Successors } from './layers/remap-techniques.ts'

/** A row of the table of annotations, with its times as texts. */
export interface AnnotationRow {
  readonly id: number
  readonly attack_analysis: number
  readonly attack_node: string
  readonly content: string
  readonly created_at: string
  readonly created_by: number | null
  readonly last_updated_at: string
  readonly last_updated_by: number | null
}

/** A row to write; a new one has no id, and all get the time of the transaction. */
export type NextAnnotation = Omit<AnnotationRow, 'id' | 'last_updated_at' | 'last_updated_by'> & { id: number | null }

/** Annotations that are written together: those that move, those that they are merged with, and what is there afterwards. */
export interface AnnotationMove {
  readonly before: readonly AnnotationRow[]
  readonly after: readonly NextAnnotation[]
}

/** Moves annotations from dead nodes to those that take their place, and merges them with what is there. Nothing is lost. */
export function moveAnnotations(rows: readonly AnnotationRow[], successors: Successors): AnnotationMove[] {
  const placed = rows.flatMap((row) =>
    (successors.get(row.attack_node) ?? [row.attack_node]).map((node) => ({ row, node })),
  )
  const groups = [...Map.groupBy(placed, ({ row, node }) => `${row.attack_analysis} ${node}`).values()]
  const changed = groups.filter((group) => group.some(({ row, node }) => row.attack_node !== node))
  return [...componentsOf(changed)].map(([before, groups]) => {
    const used = new Set<number>()
    const after = groups.map((group) => merged(group, used))
    return { before: [...before].toSorted((a, b) => a.id - b.id), after }
  })
}

interface Placed {
  readonly row: AnnotationRow
  readonly node: string
}

/** Groups that share rows, together with all their rows. */
function componentsOf(groups: readonly Placed[][]): Map<Set<AnnotationRow>, Placed[][]> {
  const ownerOf = new Map<AnnotationRow, Set<AnnotationRow>>()
  for (const group of groups) {
    const all = new Set(group.flatMap(({ row }) => [...(ownerOf.get(row) ?? [row])]))
    for (const row of all) ownerOf.set(row, all)
  }
  return Map.groupBy(groups, ([first]) => (first && ownerOf.get(first.row)) ?? new Set<AnnotationRow>())
}

/** The annotation of one node. The one that was there already keeps its id, else the oldest of those that move there. */
function merged(group: readonly Placed[], used: Set<number>): NextAnnotation {
  const stays = ({ row, node }: Placed) => Number(row.attack_node !== node)
  const inOrder = group.toSorted((a, b) => stays(a) - stays(b) || a.row.id - b.row.id)
  const [first] = inOrder
  if (!first) throw new TypeError('A group has no annotation.')
  const owner = inOrder.find(({ row }) => !used.has(row.id))?.row
  if (owner) used.add(owner.id)
  const { attack_analysis, created_at, created_by } = owner ?? first.row
  return {
    id: owner?.id ?? null,
    attack_analysis,
    attack_node: first.node,
    content: joinTexts(inOrder.map(({ row }) => row.content)),
    created_at,
    created_by,
  }
}
