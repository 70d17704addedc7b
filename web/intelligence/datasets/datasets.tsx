import { Button, Group, Modal, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { endlessQuery, idOf, type Parameters } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Dataset } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { useUrlState } from '../../ui/use-url-state.ts'
import { DatasetForm } from './dataset-form.tsx'
import { KINDS, KindBadge } from './dataset-kind.tsx'

const FILTERS: Readonly<Record<string, Parameters>> = {
  static: { 'filter[is_dynamic]': false },
  dynamic: { 'filter[is_dynamic]': true, 'filter[is_relational]': false },
  relational: { 'filter[is_relational]': true },
}

/** The list of datasets. */
export function Datasets() {
  const may = useMay()
  const url = useUrlState()
  const navigate = useNavigate()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create dataset', 'modify intel-sets')
  const workspace = url.get('workspace')
  const kind = url.get('kind')
  const list = useInfiniteQuery({
    ...endlessQuery<Dataset>('datasets', {
      ...FILTERS[kind],
      ...(workspace !== '' && { 'filter[workspaces]': workspace }),
      sort: 'name',
      limit: 50,
    }),
    enabled: may('read intel-sets'),
  })
  const datasets = list.data?.pages.flatMap(({ data }) => data)
  const make = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
      Create dataset
    </Button>
  )
  if (!may('read intel-sets'))
    return (
      <>
        <PageHead title="Datasets" />
        <NoPermission permission="read intel-sets" />
      </>
    )
  return (
    <>
      <PageHead title="Datasets" description="Collections of entities to work with, share or publish." actions={make} />
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Dataset type"
            value={kind}
            onChange={(value) => url.set({ kind: value })}
            data={[
              { value: '', label: 'All' },
              ...Object.entries(KINDS).map(([value, { label }]) => ({ value, label })),
            ]}
          />
          <NameSelect
            of="workspaces"
            label="Workspace"
            placeholder="Any workspace"
            isBare
            value={workspace}
            onChange={(id) => url.set({ workspace: id })}
            w={220}
          />
        </Group>
        <ErrorFaults error={list.error} />
        {list.isPending && <Skeleton h={240} role="status" aria-label="Loading datasets" />}
        {datasets?.length === 0 && (
          <EmptyState title="No datasets" action={make}>
            Create a dataset to collect entities that you want to monitor, share or publish.
          </EmptyState>
        )}
        {datasets && datasets.length > 0 && <DatasetTable datasets={datasets} />}
        <ListEnd list={list} />
        <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New dataset" size="lg">
          <DatasetForm
            workspace={workspace}
            onCancel={() => setIsCreating(false)}
            onDone={({ id }) => void navigate({ to: `/datasets/${id}` })}
          />
        </Modal>
      </Stack>
    </>
  )
}

function DatasetTable({ datasets }: { readonly datasets: readonly Dataset[] }) {
  const workspaces = useNames('workspaces')
  return (
    <TableFrame minWidth={700}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={120}>Type</Table.Th>
            <Table.Th w={110} ta="right">
              Entities
            </Table.Th>
            <Table.Th>Workspaces</Table.Th>
            <Table.Th w={160}>Last updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {datasets.map((dataset) => (
            <Table.Tr key={dataset.id}>
              <Table.Td>
                <PageLink to={`/datasets/${dataset.id}`}>{defangText(dataset.name)}</PageLink>
                {dataset.description && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    <PlainText text={dataset.description} />
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <KindBadge dataset={dataset} />
              </Table.Td>
              <Table.Td ta="right">{dataset.entities_count.toLocaleString('en')}</Table.Td>
              <Table.Td>
                <Group gap={6}>
                  {dataset.workspaces.map((at) => (
                    <PageLink key={at} to={`/workspaces/${idOf(at)}`}>
                      {nameOf(workspaces, at)}
                    </PageLink>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                <Moment at={dataset.last_updated_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
