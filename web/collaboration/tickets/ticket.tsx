import { Button, Grid, Group, Modal, Paper, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf, oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Ticket } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { Comments } from '../comments.tsx'
import { LinkedEntities } from '../linked-entities.tsx'
import { DueDate, PriorityBadge, StatusBadge } from './ticket-badges.tsx'
import { TicketForm } from './ticket-form.tsx'
import { TicketHistory } from './ticket-history.tsx'
import { STATUSES, statusName } from './ticket-list.ts'

/** The page of a ticket: details, entities, comments and history. */
export function TicketPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const may = useMay()
  const { data: ticket, error } = useQuery(oneQuery<Ticket>(`tickets/${id}`))
  if (!ticket)
    return (
      <>
        <PageHead title="Ticket" />
        {error ? <ErrorFaults error={error} /> : <Skeleton h={320} role="status" aria-label="Loading ticket" />}
      </>
    )
  return (
    <Stack gap="md">
      <TicketHead ticket={ticket} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Paper withBorder p="md">
              {ticket.description === '' ? (
                <Text c="dimmed" size="sm">
                  No description
                </Text>
              ) : (
                <Text size="sm">
                  <PlainText text={ticket.description} />
                </Text>
              )}
            </Paper>
            <Comments of={`tickets/${ticket.id}`} permission="ticket-comments" />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <TicketFacts ticket={ticket} />
            <LinkedEntities of={`tickets/${ticket.id}`} urls={ticket.entities} mayChange={may('modify tickets')} />
            <TicketHistory id={String(ticket.id)} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function TicketHead({ ticket }: { readonly ticket: Ticket }) {
  const may = useMay()
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const remove = async () => {
    await call('DELETE', `tickets/${ticket.id}`)
    await navigate({ to: '/tickets' })
    void invalidate('tickets', 'workspaces')
  }
  return (
    <>
      <PageHead
        title={defangText(ticket.name)}
        after={
          <>
            <StatusBadge status={ticket.status} />
            <PriorityBadge priority={ticket.priority} />
          </>
        }
        actions={
          may('modify tickets') && (
            <>
              <StatusSelect ticket={ticket} />
              <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setIsEdited(true)}>
                Edit
              </Button>
              <ConfirmButton
                label="Delete"
                title={`Delete “${defangText(ticket.name)}”?`}
                confirm="Delete"
                onConfirm={remove}
              >
                This also deletes its comments and history. It cannot be undone.
              </ConfirmButton>
            </>
          )
        }
      />
      <Modal opened={isEdited} onClose={() => setIsEdited(false)} title="Edit ticket" size="lg">
        <TicketForm ticket={ticket} onCancel={() => setIsEdited(false)} onDone={() => setIsEdited(false)} />
      </Modal>
    </>
  )
}

function StatusSelect({ ticket }: { readonly ticket: Ticket }) {
  const changed = useMutation({
    mutationFn: (status: string) => call('PATCH', `tickets/${ticket.id}`, { data: { status } }),
    onError: showErrorToast,
    onSettled: () => invalidate('tickets', 'workspaces'),
  })
  const change = (status: string) =>
    changed.mutate(status, {
      onSuccess: () =>
        showToast(`Status changed to ${statusName(status).toLowerCase()}`, () => changed.mutateAsync(ticket.status)),
    })
  return (
    <Select
      aria-label="Status"
      data={[...STATUSES]}
      value={changed.isPending ? (changed.variables ?? null) : ticket.status || null}
      onChange={(status) => status && change(status)}
      allowDeselect={false}
      w={140}
    />
  )
}

function TicketFacts({ ticket }: { readonly ticket: Ticket }) {
  const users = useNames('users')
  const workspaces = useNames('workspaces')
  const people = ticket.stakeholders.map((url) => nameOf(users, url)).join(', ')
  return (
    <Paper withBorder p="md">
      <Facts
        columns={2}
        facts={[
          ['Assignee', ticket.assignee ? nameOf(users, ticket.assignee) : 'Unassigned'],
          ['Due', ticket.due_at ? <DueDate key="due" ticket={ticket} /> : 'No due date'],
          ['Stakeholders', people || 'None'],
          [
            'Workspaces',
            <Group key="workspaces" gap={6}>
              {ticket.workspaces.map((url) => (
                <PageLink key={url} to={`/workspaces/${idOf(url)}`}>
                  {nameOf(workspaces, url)}
                </PageLink>
              ))}
              {ticket.workspaces.length === 0 && 'None'}
            </Group>,
          ],
          ['Created', <Moment key="made" at={ticket.created_at} />],
          ['Created by', ticket.created_by ? nameOf(users, ticket.created_by) : 'Unknown user'],
        ]}
      />
    </Paper>
  )
}
