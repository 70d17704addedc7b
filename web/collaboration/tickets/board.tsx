import { Badge, Group, Paper, ScrollArea, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Ticket } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { adjacentCard, cardAction } from './board-keys.ts'
import { TicketCard } from './ticket-card.tsx'
import { adjacentStatus, STATUSES, type Status, statusName, type TicketFilters } from './ticket-list.ts'
import { columnQuery, useMove } from './use-move.ts'

const COLUMN_WIDTH = 250

/** Tickets as a board with a column for each status. */
export function Board({ filters }: { readonly filters: TicketFilters }) {
  const mayMove = useMay()('modify tickets')
  const move = useMove(filters)
  const board = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<Ticket | null>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const press = (ticket: Ticket) => (event: KeyboardEvent<HTMLElement>) => {
    const action = cardAction(event)
    if (!action) return
    event.preventDefault()
    if (action.kind === 'go') {
      goFrom(board.current, event.currentTarget, action)
      return
    }
    const to = adjacentStatus(ticket.status, action.step)
    if (to === undefined || !mayMove) return
    setFocused(ticket.id)
    move(ticket, to)
  }
  return (
    <Stack gap="xs">
      {mayMove && (
        <Text size="xs" c="dimmed">
          Drag a ticket to another column, or press Shift and an arrow key.
        </Text>
      )}
      <ScrollArea type="auto" offsetScrollbars="x">
        <Group ref={board} wrap="nowrap" align="stretch" gap="sm">
          {COLUMNS.map((status) => (
            <Column
              key={status}
              status={status}
              filters={filters}
              focused={focused}
              canDrop={dragged !== null && dragged.status !== status}
              onDrop={() => dragged && move(dragged, status)}
              onDrag={setDragged}
              onPress={press}
              onMove={mayMove ? move : undefined}
            />
          ))}
        </Group>
      </ScrollArea>
    </Stack>
  )
}

const COLUMNS: readonly Status[] = ['', ...STATUSES.map(({ value }) => value)]

/** Moves the focus to another card. */
function goFrom(
  board: HTMLElement | null,
  card: HTMLElement,
  by: { readonly column: number; readonly row: number },
): void {
  const columns = [...(board?.querySelectorAll('section') ?? [])].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-ticket]'),
  ])
  const column = columns.findIndex((cards) => cards.includes(card))
  const from = { column, row: columns[column]?.indexOf(card) ?? 0 }
  const to = adjacentCard(
    columns.map(({ length }) => length),
    from,
    by,
  )
  columns[to.column]?.[to.row]?.focus()
}

interface ColumnProps {
  readonly status: Status
  readonly filters: TicketFilters
  readonly focused: number | null
  /** Whether the dragged ticket can be dropped here. */
  readonly canDrop: boolean
  readonly onDrop: () => void
  readonly onDrag: (ticket: Ticket | null) => void
  readonly onPress: (ticket: Ticket) => (event: KeyboardEvent<HTMLElement>) => void
  readonly onMove: ((ticket: Ticket, to: Status) => void) | undefined
}

function Column({ status, filters, focused, canDrop, onDrop, onDrag, onPress, onMove }: ColumnProps) {
  const list = useInfiniteQuery(columnQuery(filters, status))
  const [isOver, setIsOver] = useState(false)
  const tickets = list.data?.pages.flatMap(({ data }) => data) ?? []
  // The column for tickets without a status is shown only if there are any.
  if (status === '' && tickets.length === 0) return null
  const name = statusName(status)
  return (
    <Paper
      component="section"
      aria-label={name}
      p="xs"
      flex={1}
      miw={COLUMN_WIDTH}
      mih={300}
      bg="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-7))"
      onDragOver={(event) => {
        if (!canDrop) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        onDrop()
      }}
      style={{ outline: isOver ? '2px dashed var(--mantine-color-anchor)' : undefined, outlineOffset: -2 }}
    >
      <Group gap={6} mb="xs">
        <Title order={2} size="h6">
          {name}
        </Title>
        <Badge variant="default" radius="xl" size="sm">
          {list.data?.pages[0]?.total_count ?? '…'}
        </Badge>
      </Group>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={70} role="status" aria-label="Loading tickets" />}
      {list.isSuccess && tickets.length === 0 && (
        <Text size="xs" c="dimmed">
          No tickets.{onMove && status === 'OPEN' && ' Press N to create one.'}
        </Text>
      )}
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {tickets.map((ticket) => (
          <TicketCard
            key={ticket.id}
            ticket={ticket}
            isFocused={focused === ticket.id}
            onMove={onMove && ((to) => onMove(ticket, to))}
            onKeyDown={onPress(ticket)}
            onDragStart={() => onDrag(ticket)}
            onDragEnd={() => onDrag(null)}
          />
        ))}
      </Stack>
      <ListEnd list={list} />
    </Paper>
  )
}
