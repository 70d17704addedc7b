import { Button, Group, Modal, SegmentedControl, Select, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { selfQuery } from '../../api/self.ts'
import { useMay } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { type UrlState, useUrlState } from '../../ui/use-url-state.ts'
import { Board } from './board.tsx'
import { TicketForm } from './ticket-form.tsx'
import { PRIORITIES } from './ticket-list.ts'
import { TicketTable } from './ticket-table.tsx'

/** The signed-in user, as a value that works in shared addresses. */
const ME = 'me'

/** The tickets page, as a board or as a list. */
export function Tickets() {
  const may = useMay()
  const url = useUrlState()
  const navigate = useNavigate()
  const { data: self } = useQuery(selfQuery)
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create ticket', 'modify tickets')
  const assignee = url.get('assignee')
  const filters = {
    assignee: assignee === ME ? String(self?.id ?? '') : assignee,
    priority: url.get('priority'),
    workspace: url.get('workspace'),
  }
  if (!may('read tickets'))
    return (
      <>
        <PageHead title="Tickets" />
        <NoPermission permission="read tickets" />
      </>
    )
  const create = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
      Create ticket
    </Button>
  )
  return (
    <>
      <PageHead title="Tickets" actions={create} />
      <Stack gap="sm">
        <Filters url={url} />
        {/* Until the current user is known, "mine" would match the tickets of all users. */}
        {assignee === ME && !self ? null : url.get('view') === 'list' ? (
          <TicketTable filters={filters} create={create} />
        ) : (
          <Board filters={filters} />
        )}
        <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New ticket" size="lg">
          <TicketForm
            workspace={filters.workspace}
            onCancel={() => setIsCreating(false)}
            onDone={({ id }) => void navigate({ to: `/tickets/${id}` })}
          />
        </Modal>
      </Stack>
    </>
  )
}

function Filters({ url }: { readonly url: UrlState }) {
  const may = useMay()
  const assignee = url.get('assignee')
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="View"
        value={url.get('view') || 'board'}
        onChange={(view) => url.set({ view: view === 'board' ? '' : view })}
        data={[
          { value: 'board', label: 'Board' },
          { value: 'list', label: 'List' },
        ]}
      />
      {may('read users') && (
        <NameSelect
          of="users"
          label="Assignee"
          placeholder="Any assignee"
          isBare
          value={assignee === ME ? '' : assignee}
          onChange={(id) => url.set({ assignee: id })}
          w={180}
        />
      )}
      <Select
        aria-label="Priority"
        placeholder="Any priority"
        data={[...PRIORITIES]}
        value={url.get('priority') || null}
        onChange={(priority) => url.set({ priority })}
        clearable
        w={140}
      />
      <NameSelect
        of="workspaces"
        label="Workspace"
        placeholder="Any workspace"
        isBare
        value={url.get('workspace')}
        onChange={(workspace) => url.set({ workspace })}
        w={200}
      />
      <Switch
        label="Assigned to me"
        checked={assignee === ME}
        onChange={({ currentTarget: { checked } }) => url.set({ assignee: checked ? ME : '' })}
      />
    </Group>
  )
}
