import { Anchor, Badge, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { MaliciousnessBadge, TlpBadge, UnifiedBadge } from '../ui/badges.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { Moment } from '../ui/moment.tsx'
import { degreeOf, PIECE_SIZE, remainingOf } from './aggregates.ts'
import { GroupItems } from './groups.tsx'
import { type AggregateNode, type EntityNode, type GraphNode, neighboursIn, type ObservableNode } from './model.ts'
import { manyOf, typeName, typeOf } from './names.ts'
import type { GraphState } from './use-graph.ts'

/** Details and actions of the selected nodes. */
export function Details({ graph, onPath }: { readonly graph: GraphState; readonly onPath: (key: string) => void }) {
  const { drawing, focused, selected } = graph
  const node = focused === null ? undefined : drawing.nodes.get(focused)
  if (selected.size > 1) return <Several graph={graph} />
  if (!node || focused === null)
    return (
      <Text size="sm" c="dimmed">
        Select a node to see its details and neighbours. Shift-click selects several nodes; Shift-drag selects all nodes
        in a box.
      </Text>
    )
  return (
    <Stack gap="sm">
      {node.kind === 'entity' && <EntityDetails node={node} />}
      {node.kind === 'observable' && <ObservableDetails node={node} />}
      {node.kind === 'aggregate' ? (
        <AggregateDetails graph={graph} node={node} />
      ) : (
        <NodeActions graph={graph} of={focused} node={node} onPath={onPath} />
      )}
      <Neighbours graph={graph} of={focused} />
    </Stack>
  )
}

function EntityDetails({ node }: { readonly node: EntityNode }) {
  return (
    <Stack gap={6}>
      <Group gap={6}>
        <EntityIcon type={node.type} isDecoration />
        <Text size="xs" c="dimmed">
          {typeName(typeOf(node))}
        </Text>
        <TlpBadge tlp={node.tlp_color} />
        {node.is_unified && <UnifiedBadge />}
      </Group>
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {node.title}
      </Title>
      <Times node={node} />
      <Anchor component={Link} to={`/entities/${node.id}`} size="sm">
        Open page
      </Anchor>
    </Stack>
  )
}

function ObservableDetails({ node }: { readonly node: ObservableNode }) {
  return (
    <Stack gap={6}>
      <Group gap={6}>
        <Text size="xs" c="dimmed">
          {typeName(typeOf(node))}
        </Text>
        <MaliciousnessBadge maliciousness={node.maliciousness} />
      </Group>
      <Text size="sm" component="div">
        <Indicator type={node.type} value={node.value} />
      </Text>
      <Times node={node} />
      <Anchor component={Link} to={`/observables/${node.id}`} size="sm">
        Open page
      </Anchor>
    </Stack>
  )
}

const Times = ({ node }: { readonly node: EntityNode | ObservableNode }) => (
  <Text size="xs" c="dimmed" component="div">
    {node.kind === 'entity' && node.observed_at && (
      <>
        Observed <Moment at={node.observed_at} /> ·{' '}
      </>
    )}
    Added <Moment at={node.created_at} />
  </Text>
)

interface NodeActionsProps {
  readonly graph: GraphState
  readonly of: string
  readonly node: GraphNode
  readonly onPath: (key: string) => void
}

function NodeActions({ graph, of, node, onPath }: NodeActionsProps) {
  const isPinned = graph.drawing.positions.get(of)?.isPinned ?? false
  const own = new Set([of])
  return (
    <Group gap={6}>
      <Menu position="bottom-start" width={270}>
        <Menu.Target>
          <Button size="compact-sm" loading={graph.isBusy}>
            Expand
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
          <GroupItems graph={graph} of={of} />
        </Menu.Dropdown>
      </Menu>
      {node.kind === 'entity' && (
        <Button size="compact-sm" variant="default" onClick={() => onPath(of)}>
          Find paths
        </Button>
      )}
      {node.kind === 'entity' && node.is_unified && (
        <Button size="compact-sm" variant="default" onClick={() => void graph.showContributors(of)}>
          Show contributors
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => graph.pin(own, !isPinned)}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => graph.remove(own)}>
        Remove
      </Button>
    </Group>
  )
}

function AggregateDetails({ graph, node }: { readonly graph: GraphState; readonly node: AggregateNode }) {
  const remaining = remainingOf(graph.drawing, node)
  return (
    <Stack gap={6}>
      <Title order={2} size="h4">
        {graph.labels.get(graph.focused ?? '')}
      </Title>
      <Text size="sm" c="dimmed">
        Neighbours of “{graph.labels.get(node.of)}” that are not shown individually.
      </Text>
      <Button
        size="compact-sm"
        w="fit-content"
        loading={graph.isBusy}
        onClick={() => void graph.openPiece(node, Math.min(PIECE_SIZE, remaining))}
      >
        Show next {Math.min(PIECE_SIZE, remaining)}
      </Button>
    </Stack>
  )
}

function Several({ graph }: { readonly graph: GraphState }) {
  const { selected } = graph
  const keys = [...selected].filter((key) => !key.startsWith('a:'))
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {manyOf(selected.size, 'node')} selected
      </Title>
      <Group gap={6}>
        <Button size="compact-sm" loading={graph.isBusy} onClick={() => void graph.expandAll(keys, 'relationships')}>
          Expand relationships
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => graph.pin(selected, true)}>
          Pin
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => graph.pin(selected, false)}>
          Unpin
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => graph.keepOnly(selected)}>
          Keep only selection
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => graph.remove(selected)}>
          Remove
        </Button>
      </Group>
    </Stack>
  )
}

/** At most this many neighbours are listed; the list tab shows all. */
const MAX_SHOWN_NEIGHBOURS = 30

function Neighbours({ graph, of }: { readonly graph: GraphState; readonly of: string }) {
  const { drawing, labels } = graph
  const keys = [...(neighboursIn(drawing).get(of) ?? [])]
  if (keys.length === 0) return null
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Title order={3} fz="sm">
          Neighbours in this graph
        </Title>
        <Badge size="sm" variant="default">
          {degreeOf(drawing, of)}
        </Badge>
      </Group>
      {keys.slice(0, MAX_SHOWN_NEIGHBOURS).map((key) => (
        <Button
          key={key}
          size="compact-xs"
          variant="subtle"
          justify="flex-start"
          onClick={() => graph.select([key], key)}
        >
          <Text size="xs" truncate="end">
            {labels.get(key)}
          </Text>
        </Button>
      ))}
      {keys.length > MAX_SHOWN_NEIGHBOURS && (
        <Text size="xs" c="dimmed">
          {keys.length - MAX_SHOWN_NEIGHBOURS} more in the list
        </Text>
      )}
    </Stack>
  )
}
