/** A taxonomy, as returned by the API. */
export interface Taxonomy {
  readonly id: number
  readonly name: string
  readonly description: string
  /** A URL. */
  readonly parent: string | null
  readonly path: readonly string[]
  readonly is_system: boolean
}

/** A taxonomy and its descendants. */
export interface Branch {
  readonly node: Taxonomy
  readonly children: readonly Branch[]
}

const idOf = (url: string): number => Number(url.slice(url.lastIndexOf('/') + 1))

/** The taxonomies as trees, each level sorted by name. */
export function treeOf(nodes: readonly Taxonomy[]): readonly Branch[] {
  const byParent = Map.groupBy(nodes, ({ parent }) => (parent === null ? null : idOf(parent)))
  const below = (parent: number | null): readonly Branch[] =>
    [...(byParent.get(parent) ?? [])]
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
      .map((node) => ({ node, children: below(node.id) }))
  return below(null)
}

/** The ids of a taxonomy and its descendants. */
export const idsOf = ({ node, children }: Branch): readonly number[] => [node.id, ...children.flatMap(idsOf)]

/** The trees reduced to nodes whose name contains a text, and the path to them. */
export function matching(branches: readonly Branch[], text: string): readonly Branch[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return branches
  return branches.flatMap(({ node, children }) => {
    const left = matching(children, wanted)
    const isIt = node.name.toLowerCase().includes(wanted)
    return isIt || left.length > 0 ? [{ node, children: isIt && left.length === 0 ? children : left }] : []
  })
}

/** Where a taxonomy can be moved: anywhere but below itself. */
export function moveTargets(
  moved: Branch,
  nodes: readonly Taxonomy[],
): readonly { readonly value: string; readonly label: string }[] {
  const own = new Set(idsOf(moved))
  return nodes
    .filter(({ id }) => !own.has(id))
    .map(({ id, path }) => ({ value: String(id), label: path.join(' / ') }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
}
