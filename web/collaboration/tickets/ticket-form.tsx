import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import type { Ticket } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField, idsField, idsIn } from '../../ui/form-fields.ts'
import { NameSelect, NamesSelect } from '../../ui/name-select.tsx'
import { useForm } from '../../ui/use-form.ts'
import { fromInput, PRIORITIES, STATUSES, toInput } from './ticket-list.ts'

interface TicketFormProps {
  /** The ticket to edit; absent for a new one. */
  readonly ticket?: Ticket
  /** The workspace of a new ticket. */
  readonly workspace?: string
  readonly onDone: (ticket: Ticket) => void
  readonly onCancel: () => void
}

const valuesOf = (ticket: Ticket | undefined, workspace: string) => ({
  name: ticket?.name ?? '',
  description: ticket?.description ?? '',
  status: ticket?.status || 'OPEN',
  priority: ticket?.priority ?? '',
  due_at: toInput(ticket?.due_at ?? null),
  assignee: ticket?.assignee ? idOf(ticket.assignee) : '',
  stakeholders: (ticket?.stakeholders ?? []).map(idOf).join(','),
  workspaces: ticket ? ticket.workspaces.map(idOf).join(',') : workspace,
})

/** Creates or edits a ticket. */
export function TicketForm({ ticket, workspace = '', onDone, onCancel }: TicketFormProps) {
  const may = useMay()
  const form = useForm(
    valuesOf(ticket, workspace),
    async ({ priority, due_at, assignee, stakeholders, workspaces, ...texts }) => {
      const data = {
        ...texts,
        priority: priority || null,
        due_at: fromInput(due_at),
        assignee: assignee === '' ? null : Number(assignee),
        stakeholders: idsIn(stakeholders).map(Number),
        workspaces: idsIn(workspaces).map(Number),
      }
      const path = ticket ? `tickets/${ticket.id}` : 'tickets'
      return (await call<{ data: Ticket }>(ticket ? 'PATCH' : 'POST', path, { data })).data
    },
    (made) => {
      void invalidate('tickets', 'workspaces')
      onDone(made)
    },
  )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={3} maxRows={14} {...form.field('description')} />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Select label="Status" data={[...STATUSES]} allowDeselect={false} {...choiceField(form, 'status')} />
          <Select label="Priority" data={[...PRIORITIES]} clearable {...choiceField(form, 'priority')} />
          <TextInput label="Due (UTC)" type="datetime-local" {...form.field('due_at')} />
        </SimpleGrid>
        {may('read users') && (
          <>
            <NameSelect of="users" label="Assignee" placeholder="Unassigned" {...choiceField(form, 'assignee')} />
            <NamesSelect
              of="users"
              label="Stakeholders"
              description="Notified about updates."
              {...idsField(form, 'stakeholders')}
            />
          </>
        )}
        <NamesSelect
          of="workspaces"
          label="Workspaces"
          description="Users with access to one of these workspaces can see the ticket. Without a workspace, all users can."
          {...idsField(form, 'workspaces')}
        />
        <FormActions
          submit={ticket ? 'Save changes' : 'Create ticket'}
          isSending={form.isSending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
