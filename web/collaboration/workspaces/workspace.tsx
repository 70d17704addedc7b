import { Button, Grid, Modal, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Workspace } from '../../api/resources.ts'
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
import {
  WorkspaceDatasets,
  WorkspaceFiles,
  WorkspaceGraphs,
  WorkspaceRules,
  WorkspaceTickets,
} from './workspace-contents.tsx'
import { WorkspaceForm } from './workspace-form.tsx'
import { WorkspaceBadges } from './workspaces.tsx'

/** The default workspace, on which clients rely; it cannot be deleted. */
const DEFAULT = 1

interface WorkspacePageProps {
  /** Buttons of other capabilities. */
  readonly actions?: (workspace: Workspace) => ReactNode
}

/** The page of a workspace and its contents. */
export function WorkspacePage({ actions }: WorkspacePageProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const may = useMay()
  const { data: workspace, error } = useQuery(oneQuery<Workspace>(`workspaces/${id}`))
  if (!workspace)
    return (
      <>
        <PageHead title="Workspace" />
        {error ? <ErrorFaults error={error} /> : <Skeleton h={320} role="status" aria-label="Loading workspace" />}
      </>
    )
  return (
    <Stack gap="md">
      <WorkspaceHead workspace={workspace} actions={actions?.(workspace)} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <Box>
              {workspace.description === '' ? (
                <Text c="dimmed" size="sm">
                  No description
                </Text>
              ) : (
                <Text size="sm">
                  <PlainText text={workspace.description} />
                </Text>
              )}
            </Box>
            {may('read tickets') && (
              <Box>
                <WorkspaceTickets workspace={workspace.id} />
              </Box>
            )}
            {may('read workspace-comments') && (
              <Box>
                <Comments of={`workspaces/${workspace.id}`} permission="workspace-comments" />
              </Box>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Box>
              <WorkspacePeople workspace={workspace} />
            </Box>
            <Box>
              <Stack gap="lg">
                <WorkspaceDatasets workspace={workspace.id} />
                <WorkspaceGraphs workspace={workspace.id} />
                <WorkspaceFiles workspace={workspace.id} />
                <WorkspaceRules workspace={workspace.id} />
                <LinkedEntities
                  of={`workspaces/${workspace.id}`}
                  urls={workspace.entities}
                  mayChange={may('modify workspaces')}
                />
                {may('read graphs') && (
                  <PageLink to="/graph" search={{ workspace: workspace.id }}>
                    Show in graph
                  </PageLink>
                )}
              </Stack>
            </Box>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

const Box = ({ children }: { readonly children: ReactNode }) => (
  <Paper withBorder p="md">
    {children}
  </Paper>
)

interface WorkspaceHeadProps {
  readonly workspace: Workspace
  readonly actions: ReactNode
}

function WorkspaceHead({ workspace, actions }: WorkspaceHeadProps) {
  const may = useMay()
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const archived = useMutation({
    mutationFn: (status: Workspace['status']) => call('PATCH', `workspaces/${workspace.id}`, { data: { status } }),
    onError: showErrorToast,
    onSettled: () => invalidate('workspaces'),
  })
  const isClosed = workspace.status === 'closed'
  const archive = () =>
    archived.mutate(isClosed ? 'open' : 'closed', {
      onSuccess: () =>
        showToast(isClosed ? 'Workspace reopened' : 'Workspace archived', () => archived.mutateAsync(workspace.status)),
    })
  const remove = async () => {
    await call('DELETE', `workspaces/${workspace.id}`)
    await navigate({ to: '/workspaces' })
    void invalidate('workspaces', 'tickets', 'datasets', 'files')
  }
  return (
    <>
      <PageHead
        title={defangText(workspace.name)}
        after={<WorkspaceBadges workspace={workspace} />}
        actions={
          <>
            {actions}
            {may('modify workspaces') && (
              <>
                <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setIsEdited(true)}>
                  Edit
                </Button>
                <Button variant="default" loading={archived.isPending} onClick={archive}>
                  {isClosed ? 'Reopen' : 'Archive'}
                </Button>
                {workspace.id !== DEFAULT && (
                  <ConfirmButton
                    label="Delete"
                    title={`Delete “${defangText(workspace.name)}”?`}
                    confirm="Delete"
                    onConfirm={remove}
                  >
                    This also deletes its comments; tickets, files and entities are kept. Tickets without another
                    workspace become visible to all users who can read tickets. This cannot be undone.
                  </ConfirmButton>
                )}
              </>
            )}
          </>
        }
      />
      <Modal opened={isEdited} onClose={() => setIsEdited(false)} title="Edit workspace" size="lg">
        <WorkspaceForm workspace={workspace} onCancel={() => setIsEdited(false)} onDone={() => setIsEdited(false)} />
      </Modal>
    </>
  )
}

function WorkspacePeople({ workspace }: { readonly workspace: Workspace }) {
  const users = useNames('users')
  const groups = useNames('groups')
  const people = workspace.collaborators.map((url) => nameOf(users, url)).join(', ')
  return (
    <Facts
      columns={2}
      facts={[
        ['Collaborators', people || 'None'],
        ['Groups', workspace.groups.map((url) => nameOf(groups, url)).join(', ') || 'None'],
        ['Created', <Moment key="made" at={workspace.created_at} />],
        ['Created by', workspace.created_by ? nameOf(users, workspace.created_by) : 'System'],
      ]}
    />
  )
}
