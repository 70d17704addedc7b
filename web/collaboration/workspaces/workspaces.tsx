import {
  Badge,
  Button,
  Card,
  Group,
  Modal,
  SegmentedControl,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { endlessQuery } from '../../api/lists.ts'
import type { Workspace } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { useUrlState } from '../../ui/use-url-state.ts'
import { WorkspaceForm } from './workspace-form.tsx'
import { contentsOf, TYPES, typeName, workspaceParameters } from './workspace-list.ts'

/** The list of workspaces. */
export function Workspaces() {
  const may = useMay()
  const url = useUrlState()
  const navigate = useNavigate()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create workspace', 'modify workspaces')
  const list = useInfiniteQuery({
    ...endlessQuery<Workspace>('workspaces', workspaceParameters(url.get('status'), url.get('type'))),
    enabled: may('read workspaces'),
  })
  const workspaces = list.data?.pages.flatMap(({ data }) => data)
  const make = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
      Create workspace
    </Button>
  )
  if (!may('read workspaces'))
    return (
      <>
        <PageHead title="Workspaces" />
        <NoPermission permission="read workspaces" />
      </>
    )
  return (
    <>
      <PageHead title="Workspaces" description="Shared work areas for cases, analyses and teams." actions={make} />
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Status"
            value={url.get('status') || 'open'}
            onChange={(status) => url.set({ status: status === 'open' ? '' : status })}
            data={[
              { value: 'open', label: 'Open' },
              { value: 'closed', label: 'Archived' },
              { value: 'all', label: 'All' },
            ]}
          />
          <Select
            aria-label="Type"
            placeholder="Any type"
            data={[...TYPES]}
            value={url.get('type') || null}
            onChange={(type) => url.set({ type })}
            clearable
            w={180}
          />
        </Group>
        <ErrorFaults error={list.error} />
        {list.isPending && <Skeleton h={200} role="status" aria-label="Loading workspaces" />}
        {workspaces?.length === 0 && (
          <EmptyState title="No workspaces" action={make}>
            Create a workspace for a case, an analysis or a team.
          </EmptyState>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {workspaces?.map((workspace) => (
            <WorkspaceCard key={workspace.id} workspace={workspace} />
          ))}
        </SimpleGrid>
        <ListEnd list={list} />
        <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New workspace" size="lg">
          <WorkspaceForm
            onCancel={() => setIsCreating(false)}
            onDone={({ id }) => void navigate({ to: `/workspaces/${id}` })}
          />
        </Modal>
      </Stack>
    </>
  )
}

function WorkspaceCard({ workspace }: { readonly workspace: Workspace }) {
  const contents = contentsOf(workspace)
  return (
    <Card withBorder component="article" padding="md">
      <Title order={2} size="h4" mb={6} style={{ overflowWrap: 'anywhere' }}>
        <PageLink to={`/workspaces/${workspace.id}`} inherit>
          {defangText(workspace.name)}
        </PageLink>
      </Title>
      <WorkspaceBadges workspace={workspace} />
      <Text size="sm" c="dimmed" lineClamp={2} mt={6} flex={1}>
        <PlainText text={workspace.description || 'No description'} />
      </Text>
      <Group justify="space-between" mt="sm" gap="xs">
        <Text size="xs">{contents.length > 0 ? contents.join(' · ') : 'Empty'}</Text>
        <Text size="xs" c="dimmed">
          <Moment at={workspace.last_updated_at} />
        </Text>
      </Group>
    </Card>
  )
}

/** The type, visibility and archive state of a workspace. */
export const WorkspaceBadges = ({ workspace }: { readonly workspace: Workspace }) => (
  <Group gap={4} wrap="nowrap">
    {workspace.status === 'closed' && (
      <Badge variant="light" color="gray" radius="xs">
        Archived
      </Badge>
    )}
    <Badge variant="light" color="blue" radius="xs">
      {typeName(workspace.type)}
    </Badge>
    <Badge variant="default" radius="xs">
      {workspace.is_public ? 'Public' : 'Private'}
    </Badge>
  </Group>
)
