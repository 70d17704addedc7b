import { ActionIcon, Anchor, Group, Menu, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { nameOf, useNames } from '../../api/names.ts'
import type { Ticket } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { DueDate, PriorityBadge } from './ticket-badges.tsx'
import { STATUSES, type Status } from './ticket-list.ts'

interface TicketCardProps {
  readonly ticket: Ticket
  /** Moves the ticket to another column; undefined without the permission. */
  readonly onMove: ((to: Status) => void) | undefined
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onDragStart: () => void
  readonly onDragEnd: () => void
  /** Whether it was moved by keyboard and takes the focus with it. */
  readonly isFocused: boolean
}

/** A ticket on the board, moved by dragging, keyboard or menu. */
export function TicketCard({ ticket, onMove, onKeyDown, onDragStart, onDragEnd, isFocused }: TicketCardProps) {
  const users = useNames('users')
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isFocused) link.current?.focus()
  }, [isFocused])
  return (
    <Paper
      component="li"
      withBorder
      p="xs"
      radius="sm"
      draggable={onMove !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', defangText(ticket.name))
        onDragStart()
      }}
      onDragEnd={onDragEnd}
      style={{ cursor: onMove ? 'grab' : undefined }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <Anchor
          ref={link}
          component={Link}
          to={`/tickets/${ticket.id}`}
          draggable={false}
          size="sm"
          fw={550}
          c="var(--mantine-color-text)"
          lineClamp={3}
          data-ticket={ticket.id}
          aria-keyshortcuts={onMove && 'Shift+ArrowLeft Shift+ArrowRight'}
          onKeyDown={onKeyDown}
          style={{ overflowWrap: 'anywhere' }}
        >
          {defangText(ticket.name)}
        </Anchor>
        {onMove && <MoveMenu ticket={ticket} onMove={onMove} />}
      </Group>
      <Group gap={8} mt={6} fz="xs" c="dimmed">
        <PriorityBadge priority={ticket.priority} />
        {ticket.assignee !== null && (
          <Text span inherit>
            {nameOf(users, ticket.assignee)}
          </Text>
        )}
        <DueDate ticket={ticket} />
      </Group>
    </Paper>
  )
}

interface MoveMenuProps {
  readonly ticket: Ticket
  readonly onMove: (to: Status) => void
}

function MoveMenu({ ticket, onMove }: MoveMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Move ${defangText(ticket.name)}`}>
          <Icon name="grip" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Move to</Menu.Label>
        {STATUSES.filter(({ value }) => value !== ticket.status).map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => onMove(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
