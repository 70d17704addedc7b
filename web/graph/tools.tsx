import { ActionIcon, Box, Button, Group, Kbd, Menu, Popover, Switch, Table, Text, Tooltip } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { EntityPicker } from '../intelligence/entity-picker.tsx'
import { Icon } from '../ui/icon.tsx'
import { fit } from './canvas.tsx'
import type { LayoutName } from './layouts.ts'
import { entityKey, observableKey } from './model.ts'
import { ToolButton } from './tool-button.tsx'
import type { GraphState } from './use-graph.ts'

const LAYOUT_NAMES: readonly { readonly name: LayoutName | 'force'; readonly label: string }[] = [
  { name: 'force', label: 'Force' },
  { name: 'layers', label: 'Hierarchy' },
  { name: 'type', label: 'By type' },
  { name: 'circle', label: 'Circle' },
  { name: 'grid', label: 'Grid' },
]

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['← ↑ → ↓', 'Move to a neighbour'],
  ['Enter', 'Open node menu'],
  ['Delete', 'Remove selected nodes'],
  ['Ctrl A', 'Select all'],
  ['Ctrl Z', 'Undo'],
  ['Ctrl Shift Z', 'Redo'],
  ['+  −', 'Zoom'],
  ['0', 'Fit graph'],
  ['Shift', 'Click to extend the selection, drag to draw a box'],
]

/** The toolbar of the graph. */
export function Tools({ graph, hasPicture }: { readonly graph: GraphState; readonly hasPicture: boolean }) {
  const { past, future } = graph.history
  useUndoKeys(graph)
  const camera = () => graph.stage.current?.renderer.getCamera()
  return (
    <Group
      gap={6}
      px="xs"
      py={6}
      role="toolbar"
      aria-label="Tools"
      style={{ borderBottom: '1px solid var(--corvus-line)' }}
    >
      <Box w={220}>
        <EntityPicker
          label="Add entity or observable"
          chosen={[...graph.drawing.nodes.keys()].map((key) => key.slice(2))}
          onPick={({ id }) => void graph.addNodes([entityKey(id)], 'Add entity')}
          onPickObservable={(id) => void graph.addNodes([observableKey(id)], 'Add observable')}
        />
      </Box>
      <ToolButton
        tool="undo"
        label={past.length > 0 ? `Undo: ${past.at(-1)?.label}` : 'Undo'}
        isDisabled={past.length === 0}
        onClick={graph.undo}
      />
      <ToolButton
        tool="redo"
        label={future.length > 0 ? `Redo: ${future[0]?.label}` : 'Redo'}
        isDisabled={future.length === 0}
        onClick={graph.redo}
      />
      <LayoutMenu graph={graph} />
      <Tooltip
        label="Unified entities stand for their contributors, with their relationships and observables"
        multiline
        maw={280}
      >
        <div>
          <Switch
            size="xs"
            label="Collapse contributors"
            checked={graph.drawing.isCollapsed}
            disabled={graph.isBusy}
            onChange={({ currentTarget }) => void graph.collapse(currentTarget.checked)}
          />
        </div>
      </Tooltip>
      {hasPicture && (
        <>
          <ToolButton tool="zoomIn" label="Zoom in" onClick={() => void camera()?.animatedZoom({ duration: 150 })} />
          <ToolButton
            tool="zoomOut"
            label="Zoom out"
            onClick={() => void camera()?.animatedUnzoom({ duration: 150 })}
          />
          <ToolButton tool="fit" label="Fit graph" onClick={() => fit(graph)} />
          <KeyHelp />
        </>
      )}
    </Group>
  )
}

function LayoutMenu({ graph }: { readonly graph: GraphState }) {
  if (graph.force.isRunning) return <ToolButton tool="stop" label="Stop layout" onClick={graph.force.stop} />
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-sm" variant="default" h={28}>
          Layout
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LAYOUT_NAMES.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => graph.layOut(name)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function KeyHelp() {
  return (
    <Popover position="bottom-end" withArrow shadow="md">
      <Popover.Target>
        <ActionIcon variant="default" size="md" aria-label="Graph shortcuts">
          <Icon name="keyboard" size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" fw={600} mb={4}>
          Shortcuts while the graph has the focus
        </Text>
        <Table withRowBorders={false} verticalSpacing={3} highlightOnHover={false}>
          <Table.Tbody>
            {KEYS.map(([keys, what]) => (
              <Table.Tr key={keys}>
                <Table.Td>
                  <Kbd size="xs">{keys}</Kbd>
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Undo and redo shortcuts for the whole page, except in text fields. */
function useUndoKeys(graph: GraphState): void {
  const latest = useRef(graph)
  latest.current = graph
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      if (!(event.ctrlKey || event.metaKey) || isTyping) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) latest.current.redo()
      else latest.current.undo()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
