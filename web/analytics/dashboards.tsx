import { Badge, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { invalidate } from '../api/invalidate.ts'
import { listQuery } from '../api/lists.ts'
import type { Dashboard } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Moment } from '../ui/moment.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { useCreateForm } from '../ui/use-create-form.ts'
import { DashboardForm } from './dashboard-form.tsx'

/** All dashboards visible to the user. */
export function Dashboards() {
  const may = useMay()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create dashboard', 'modify configurations')
  const navigate = useNavigate()
  const dashboards = useQuery({
    ...listQuery<Dashboard>('dashboards', { sort: '-is_pinned,name', limit: 500 }),
    enabled: may('read configurations'),
  })
  if (!may('read configurations')) return <NoPermission permission="read configurations" />
  const make = mayCreate && <Button onClick={() => setIsCreating(true)}>Create dashboard</Button>
  return (
    <>
      <PageHead title="Dashboards" description="Metrics, charts and lists of intelligence." actions={make} />
      <ErrorFaults error={dashboards.error} />
      {dashboards.isPending && <Skeleton h={160} role="status" aria-label="Loading" />}
      {dashboards.data?.data.length === 0 && (
        <EmptyState title="No dashboards yet" action={make}>
          A dashboard answers recurring questions at a glance: what is new, where it comes from, and how much there is.
        </EmptyState>
      )}
      {dashboards.data && dashboards.data.data.length > 0 && <DashboardTable dashboards={dashboards.data.data} />}
      {isCreating && (
        <DashboardForm
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => {
            void invalidate('dashboards')
            void navigate({ to: `/dashboards/${id}` })
          }}
        />
      )}
    </>
  )
}

function DashboardTable({ dashboards }: { readonly dashboards: readonly Dashboard[] }) {
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th ta="end">Widgets</Table.Th>
            <Table.Th>Last updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dashboards.map(({ id, name, description, widgets, is_shared_with_all, is_pinned, last_updated_at }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Group gap="xs">
                  <PageLink to={`/dashboards/${id}`}>{name}</PageLink>
                  {is_pinned && <Badge variant="default">Pinned</Badge>}
                  {is_shared_with_all && (
                    <Badge variant="light" color="gray">
                      Shared
                    </Badge>
                  )}
                </Group>
                {description && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="end">{widgets.length}</Table.Td>
              <Table.Td>
                <Moment at={last_updated_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
