import { Group, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { colourOf } from './colours.ts'
import { found } from './filters.ts'
import { neighboursIn } from './model.ts'
import { counted, typeName, typeOf } from './names.ts'
import type { GraphState } from './use-graph.ts'

const ROW = 40

/** The graph as lists of nodes and edges, which is accessible and searchable. */
export function NodeList({ graph, height }: { readonly graph: GraphState; readonly height: number | string }) {
  const [text, setText] = useState('')
  const [what, setWhat] = useState('nodes')
  const { shown } = graph
  return (
    <Stack gap="xs" h={height} mih={300}>
      <TextInput
        size="xs"
        label="Search in this graph"
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <SegmentedControl
        size="xs"
        aria-label="List"
        value={what}
        onChange={setWhat}
        data={[
          { value: 'nodes', label: `Nodes ${counted(shown.nodes.size)}` },
          { value: 'edges', label: `Edges ${counted(shown.edges.size)}` },
        ]}
      />
      {what === 'nodes' ? <Nodes graph={graph} text={text} /> : <Edges graph={graph} text={text} />}
    </Stack>
  )
}

interface ListProps {
  readonly graph: GraphState
  readonly text: string
}

function Nodes({ graph, text }: ListProps) {
  const { drawing, shown, labels, selected, select } = graph
  const keys = useMemo(() => {
    const around = neighboursIn(drawing)
    const degree = (key: string) => around.get(key)?.size ?? 0
    return found(labels, text)
      .filter((key) => shown.nodes.has(key))
      .sort((a, b) => degree(b) - degree(a))
  }, [drawing, labels, shown, text])
  return (
    <Rows label="Nodes" count={keys.length}>
      {(i) => {
        const key = keys[i] ?? ''
        const node = drawing.nodes.get(key)
        if (!node) return null
        return (
          <UnstyledButton
            w="100%"
            h="100%"
            px={6}
            aria-pressed={selected.has(key)}
            bg={selected.has(key) ? 'var(--mantine-primary-color-light)' : 'transparent'}
            onClick={(event) => select(event.shiftKey ? [...selected, key] : [key], key)}
          >
            <Group gap={8} wrap="nowrap">
              <Mark type={typeOf(node)} />
              <div style={{ minWidth: 0 }}>
                <Text size="xs" truncate="end">
                  {labels.get(key)}
                </Text>
                <Text size="xs" c="dimmed">
                  {typeName(typeOf(node))} · {neighboursIn(drawing).get(key)?.size ?? 0} edges
                  {drawing.positions.get(key)?.isPinned ? ' · pinned' : ''}
                </Text>
              </div>
            </Group>
          </UnstyledButton>
        )
      }}
    </Rows>
  )
}

function Edges({ graph, text }: ListProps) {
  const { drawing, shown, labels, select } = graph
  const edges = useMemo(() => {
    const among = new Set(found(labels, text))
    return [...shown.edges].flatMap((key) => {
      const edge = drawing.edges.get(key)
      return edge && (among.has(edge.source) || among.has(edge.target)) ? [edge] : []
    })
  }, [drawing, shown, labels, text])
  return (
    <Rows label="Edges" count={edges.length}>
      {(i) => {
        const edge = edges[i]
        if (!edge) return null
        return (
          <UnstyledButton w="100%" h="100%" px={6} onClick={() => select([edge.source, edge.target])}>
            <Text size="xs" truncate="end">
              {labels.get(edge.source)}
            </Text>
            <Text size="xs" truncate="end" c="dimmed">
              {edge.label || 'related'} → {labels.get(edge.target)}
            </Text>
          </UnstyledButton>
        )
      }}
    </Rows>
  )
}

interface RowsProps {
  readonly label: string
  readonly count: number
  readonly children: (i: number) => ReactNode
}

function Rows({ label, count, children }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 8 })
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        No matching nodes or edges. Change the search text or the filters.
      </Text>
    )
  return (
    <div ref={scroller} style={{ overflowY: 'auto', flex: 1, minHeight: 0 }}>
      <ul aria-label={label} style={{ height: rows.getTotalSize(), position: 'relative', margin: 0, padding: 0 }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <li
            key={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ position: 'absolute', top: start, height: ROW, width: '100%', listStyle: 'none' }}
          >
            {children(index)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A dot in the colour of a type. */
export const Mark = ({ type }: { readonly type: string }) => (
  <svg viewBox="0 0 10 10" width={10} height={10} aria-hidden="true" style={{ flex: 'none' }}>
    <circle cx={5} cy={5} r={type.startsWith('observable:') ? 3.4 : 5} fill={colourOf(type)} />
  </svg>
)
