import { type NamedNode, placeOf } from '../nodes.ts'

/** A technique in all its places, as it is selected in forms. */
export interface TechniqueOption {
  /** Such as T1566.001. */
  readonly value: string
  readonly label: string
  /** The nodes of the technique, one for each tactic. */
  readonly nodes: readonly string[]
}

/** The techniques of a matrix, each once for all its places, in the order of their ids. */
export function techniqueOptions(nodes: ReadonlyMap<string, NamedNode>): readonly TechniqueOption[] {
  const techniques = [...nodes.values()].filter(({ type }) => type === 'technique' || type === 'subtechnique')
  const places = Map.groupBy(techniques, ({ external_id }) => external_id)
  return [...places]
    .map(([value, all]) => {
      const { node, technique } = placeOf(nodes, all[0]?.id ?? '')
      return {
        value,
        label: `${value} ${technique ? `${technique.name}: ` : ''}${node?.name ?? ''}`,
        nodes: all.map(({ id }) => id),
      }
    })
    .toSorted((a, b) => a.value.localeCompare(b.value, 'en', { numeric: true }))
}

/** The techniques of some nodes, each once. */
export const techniquesOf = (options: readonly TechniqueOption[], nodes: ReadonlySet<string>): readonly string[] =>
  options.filter((option) => option.nodes.some((id) => nodes.has(id))).map(({ value }) => value)

/** The nodes of selected techniques. */
export const nodesOf = (options: readonly TechniqueOption[], chosen: readonly string[]): readonly string[] =>
  options.filter(({ value }) => chosen.includes(value)).flatMap(({ nodes }) => nodes)
