import { ActionIcon, Box, Paper, Tooltip, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { COLUMNS, inOrder, type Layout, move, resize } from './layout.ts'

const ROW = 36
const GAP = 12
/** Below this width, widgets are stacked. */
const NARROW = 700

interface GridProps {
  readonly layout: Layout
  /** Whether widgets can be moved and resized. */
  readonly isArranged: boolean
  readonly onChange: (layout: Layout) => void
  readonly nameOf: (id: string) => string
  readonly children: (id: string) => ReactNode
}

interface Drag {
  readonly id: string
  readonly change: typeof move
  readonly from: Layout
  readonly x: number
  readonly y: number
}

/** Widgets on a grid, moved and resized by dragging or with the keyboard. */
export function Grid({ layout, isArranged, onChange, nameOf, children }: GridProps) {
  const { ref, width } = useElementSize()
  const [drag, setDrag] = useState<Drag | null>(null)
  const [draft, setDraft] = useState<Layout | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const shown = draft ?? layout
  const isNarrow = width > 0 && width < NARROW
  const column = (width + GAP) / COLUMNS

  function follow(event: PointerEvent): void {
    if (!drag) return
    const dx = Math.round((event.clientX - drag.x) / column)
    const dy = Math.round((event.clientY - drag.y) / (ROW + GAP))
    setDraft(drag.change(drag.from, drag.id, dx, dy))
  }

  function drop(): void {
    if (draft && draft !== drag?.from) onChange(draft)
    setDrag(null)
    setDraft(null)
  }

  function press(event: KeyboardEvent, id: string, change: typeof move): void {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const changed = change(layout, id, ...step)
    const position = changed[id]
    if (position)
      setAnnouncement(
        `${nameOf(id)}: column ${position.x + 1}, row ${position.y + 1}, ${position.w} wide, ${position.h} high.`,
      )
    if (changed !== layout) onChange(changed)
  }

  const handle = (id: string, change: typeof move, icon: IconName, label: string) => (
    <Tooltip label={`${label}: drag or use the arrow keys`}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={`${label} ${nameOf(id)}`}
        style={{ touchAction: 'none', cursor: change === move ? 'grab' : 'nwse-resize' }}
        onKeyDown={(event) => press(event, id, change)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ id, change, from: layout, x: event.clientX, y: event.clientY })
        }}
        onPointerMove={follow}
        onPointerUp={drop}
        onPointerCancel={drop}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )

  return (
    <Box
      ref={ref}
      style={{
        display: 'grid',
        gridTemplateColumns: isNarrow ? '1fr' : `repeat(${COLUMNS}, 1fr)`,
        gridAutoRows: isNarrow ? 'minmax(220px, auto)' : ROW,
        gap: GAP,
      }}
    >
      {inOrder(shown).map((id) => {
        const { x = 0, y = 0, w = 4, h = 6 } = shown[id] ?? {}
        return (
          <Paper
            key={id}
            withBorder
            radius="md"
            component="section"
            aria-label={nameOf(id)}
            p="sm"
            style={{
              position: 'relative',
              display: 'flex',
              flexDirection: 'column',
              minWidth: 0,
              minHeight: 0,
              ...(!isNarrow && { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }),
              ...(drag?.id === id && { boxShadow: 'var(--mantine-shadow-lg)', zIndex: 1 }),
            }}
          >
            {children(id)}
            {isArranged && !isNarrow && (
              <>
                <Box pos="absolute" top={6} left={4}>
                  {handle(id, move, 'grip', 'Move')}
                </Box>
                <Box pos="absolute" bottom={2} right={2}>
                  {handle(id, resize, 'corner', 'Resize')}
                </Box>
              </>
            )}
          </Paper>
        )
      })}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Box>
  )
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
