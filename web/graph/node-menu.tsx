import { Menu } from '@mantine/core'
import { PIECE_SIZE, remainingOf } from './aggregates.ts'
import type { MenuPosition } from './canvas.tsx'
import { GroupItems } from './groups.tsx'
import type { AggregateNode } from './model.ts'
import { counted, manyOf } from './names.ts'
import type { NodeAction } from './node-action.ts'
import type { GraphState } from './use-graph.ts'

interface NodeMenuProps {
  readonly graph: GraphState
  readonly menu: MenuPosition | null
  readonly onClose: () => void
  /** Starts a path search from a node. */
  readonly onPath: (key: string) => void
  readonly actions: readonly NodeAction[]
  readonly onAction: (action: NodeAction, keys: ReadonlySet<string>) => void
}

/** The context menu of a node. */
export function NodeMenu({ graph, menu, onClose, onPath, actions, onAction }: NodeMenuProps) {
  const key = menu?.key ?? ''
  const node = graph.drawing.nodes.get(key)
  if (!menu || !node) return null
  const keys = graph.selected.has(key) ? graph.selected : new Set([key])
  const many = keys.size > 1 ? ` ${manyOf(keys.size, 'node')}` : ''
  const isPinned = graph.drawing.positions.get(key)?.isPinned ?? false
  const close = () => {
    onClose()
    // Keyboard users continue from the node.
    graph.stage.current?.renderer.getContainer().focus({ preventScroll: true })
  }
  return (
    <Menu opened onClose={close} position="bottom-start" width={270} withinPortal>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label="Node menu"
          style={{
            position: 'absolute',
            left: menu.x,
            top: menu.y,
            width: 1,
            height: 1,
            opacity: 0,
            padding: 0,
            border: 0,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Menu of ${graph.labels.get(key) ?? 'node'}`} mah={440} style={{ overflowY: 'auto' }}>
        {node.kind === 'aggregate' ? (
          <AggregateItems graph={graph} node={node} />
        ) : (
          <>
            <Menu.Label>Expand</Menu.Label>
            <GroupItems graph={graph} of={key} />
          </>
        )}
        <Menu.Divider />
        {node.kind === 'entity' && node.is_unified && (
          <Menu.Item onClick={() => void graph.showContributors(key)}>Show contributors</Menu.Item>
        )}
        {node.kind === 'entity' && <Menu.Item onClick={() => onPath(key)}>Find paths from here</Menu.Item>}
        {node.kind !== 'aggregate' &&
          actions.map((action) => (
            <Menu.Item key={action.label} onClick={() => onAction(action, keys)}>
              {action.label}
              {many}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => graph.pin(keys, !isPinned)}>
          {isPinned ? 'Unpin' : 'Pin'}
          {many}
        </Menu.Item>
        <Menu.Item onClick={() => graph.keepOnly(keys)}>Keep only{many || ' this node'}</Menu.Item>
        <Menu.Item color="red" onClick={() => graph.remove(keys)}>
          Remove{many}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** More nodes than this would make a graph unreadable. */
const MAX_OPENED = 2000

function AggregateItems({ graph, node }: { readonly graph: GraphState; readonly node: AggregateNode }) {
  const remaining = remainingOf(graph.drawing, node)
  const all = Math.min(remaining, MAX_OPENED)
  return (
    <>
      <Menu.Label>Show members</Menu.Label>
      {remaining > PIECE_SIZE && (
        <Menu.Item onClick={() => void graph.openPiece(node, PIECE_SIZE)}>Show next {PIECE_SIZE}</Menu.Item>
      )}
      <Menu.Item onClick={() => void graph.openPiece(node, all)}>
        {all < remaining ? `Show next ${counted(all)}` : `Show all ${counted(remaining)}`}
      </Menu.Item>
    </>
  )
}
