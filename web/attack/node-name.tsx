import { Text } from '@mantine/core'
import { type NamedNode, placeOf } from './nodes.ts'

interface NodeNameProps {
  readonly id: string
  /** The live nodes of its matrix; undefined while they are loading. */
  readonly nodes: ReadonlyMap<string, NamedNode> | undefined
}

/** A node with its id and its tactic. */
export function NodeName({ id, nodes }: NodeNameProps) {
  const { node, technique, tactic } = placeOf(nodes ?? new Map(), id)
  const isUnknown = nodes !== undefined && node === undefined
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" component="span">
        <Text component="span" inherit className="code" c="dimmed">
          {node?.external_id ?? id}
        </Text>{' '}
        {technique && `${technique.name}: `}
        {node?.name ?? (isUnknown ? 'Not in this version' : '')}
      </Text>
      {tactic && (
        <Text size="xs" c="dimmed">
          {tactic.name}
        </Text>
      )}
    </div>
  )
}
