import { type NamedNode, placeOf } from './nodes.ts'

interface NamedMatrix {
  readonly label: string
  /** Its live nodes, by id. */
  readonly nodes: ReadonlyMap<string, NamedNode>
}

/** A node as it is selected in forms. */
export interface NodeChoice {
  readonly value: string
  /** Such as `T1566.001 Phishing: Spearphishing Attachment`. */
  readonly name: string
  /** Such as `T1566.001 Phishing: Spearphishing Attachment · Initial Access`: a technique has a node for each of its tactics. */
  readonly label: string
  /** Such as `Enterprise · Initial Access`. */
  readonly place: string
}

/** The tactics and techniques of matrices, in the order of their ids. */
export const nodeChoices = (matrices: readonly NamedMatrix[]): readonly NodeChoice[] =>
  matrices.flatMap(({ label, nodes }) =>
    [...nodes.values()]
      .filter(({ type }) => type !== 'matrix')
      .toSorted((a, b) => a.external_id.localeCompare(b.external_id, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1))
      .map((node) => choiceOf(label, nodes, node)),
  )

function choiceOf(matrix: string, nodes: ReadonlyMap<string, NamedNode>, node: NamedNode): NodeChoice {
  const { technique, tactic } = placeOf(nodes, node.id)
  const name = `${node.external_id} ${technique ? `${technique.name}: ` : ''}${node.name}`
  return {
    value: node.id,
    name,
    label: [name, tactic?.name].filter(Boolean).join(' · '),
    place: [matrix, tactic?.name ?? (node.type === 'tactic' ? 'Tactic' : '')].filter(Boolean).join(' · '),
  }
}
