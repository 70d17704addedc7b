import { Loader, Menu, Group as Row, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { isAggregated, MAX_GROUP_SIZE, membersIn } from './aggregates.ts'
import type { Group } from './model.ts'
import { counted, groupName } from './names.ts'
import { readGroups } from './requests.ts'
import type { GraphState } from './use-graph.ts'

interface GroupsProps {
  readonly graph: GraphState
  /** The node whose neighbours are listed. */
  readonly of: string
}

/** Menu items for the neighbours of a node by group, with exact counts; selecting one adds it to the graph. */
export function GroupItems({ graph, of }: GroupsProps) {
  const { isCollapsed } = graph.drawing
  const { data: groups, error } = useQuery({
    queryKey: ['graph', 'groups', of, isCollapsed],
    queryFn: () => readGroups(of, isCollapsed),
  })
  if (error && !groups) return <ErrorFaults error={error} />
  if (!groups)
    return (
      <Row p="xs" gap="xs">
        <Loader size="xs" />
        <Text size="sm" c="dimmed">
          Loading neighbours…
        </Text>
      </Row>
    )
  if (groups.length === 0)
    return (
      <Text size="sm" c="dimmed" p="xs">
        No neighbours.
      </Text>
    )
  return groups.map((group) => <GroupItem key={group.name} graph={graph} of={of} group={group} />)
}

function GroupItem({ graph, of, group }: GroupsProps & { readonly group: Group }) {
  const drawn = membersIn(graph.drawing, of, group).size
  const isAll = drawn >= group.count || isAggregated(graph.drawing, of, group)
  return (
    <Menu.Item
      disabled={isAll}
      leftSection={group.kind === 'observable' ? <Dot /> : <EntityIcon type={group.type} size={16} isDecoration />}
      rightSection={
        <Text size="xs" c="dimmed" component="span">
          {countText(group, drawn)}
        </Text>
      }
      onClick={() => void graph.expand(of, group)}
    >
      {groupName(group)}
    </Menu.Item>
  )
}

const countText = ({ count }: Group, drawn: number): string =>
  drawn === 0
    ? `${counted(count)}${count > MAX_GROUP_SIZE ? ' as one node' : ''}`
    : `${counted(drawn)} of ${counted(count)}`

const Dot = () => (
  <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
    <circle cx={8} cy={8} r={3.5} fill="currentColor" opacity={0.7} />
  </svg>
)
