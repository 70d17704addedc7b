import { Button, Code, Group, Modal, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf, oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Dataset } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { waitForRun } from '../../background/run-queries.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { type PageTab, PageTabs } from '../../ui/page-tabs.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { EntityTable } from '../entity-table.tsx'
import { DatasetForm } from './dataset-form.tsx'
import { KindBadge } from './dataset-kind.tsx'
import { FillDataset, fillDataset, queryOfIds, renewEntities } from './fill-dataset.tsx'

interface DatasetPageProps {
  /** Further tabs, of capabilities that build on datasets; shown to users who can see its entities. */
  readonly tabs?: readonly PageTab<Dataset>[]
  /** Buttons of other capabilities. */
  readonly actions?: (dataset: Dataset) => ReactNode
}

const ENTITIES: PageTab<Dataset> = {
  name: 'entities',
  label: 'Entities',
  show: (dataset) => <DatasetEntities dataset={dataset} />,
}

/** The page of a dataset with its entities. */
export function DatasetPage({ tabs = [], actions }: DatasetPageProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const may = useMay()
  const { data: dataset, error } = useQuery(oneQuery<Dataset>(`datasets/${id}`))
  if (!dataset)
    return (
      <>
        <PageHead title="Dataset" />
        {error ? <ErrorFaults error={error} /> : <Skeleton h={320} role="status" aria-label="Loading dataset" />}
      </>
    )
  return (
    <Stack gap="md">
      <DatasetHead dataset={dataset} actions={actions?.(dataset)} />
      {dataset.description && (
        <Text size="sm">
          <PlainText text={dataset.description} />
        </Text>
      )}
      <DatasetFacts dataset={dataset} />
      <DatasetQuery dataset={dataset} />
      {may('read entities') && <PageTabs tabs={[ENTITIES, ...tabs]} of={dataset} />}
    </Stack>
  )
}

interface DatasetHeadProps {
  readonly dataset: Dataset
  readonly actions: ReactNode
}

function DatasetHead({ dataset, actions }: DatasetHeadProps) {
  const may = useMay()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'fill' | null>(null)
  const close = () => setOpen(null)
  const remove = async () => {
    await call('DELETE', `datasets/${dataset.id}`)
    await navigate({ to: '/datasets' })
    void invalidate('datasets', 'workspaces')
  }
  return (
    <>
      <PageHead
        title={defangText(dataset.name)}
        after={<KindBadge dataset={dataset} />}
        actions={
          <>
            {actions}
            {may('modify intel-sets') && (
              <>
                {!dataset.is_dynamic && may('read entities') && (
                  <Button onClick={() => setOpen('fill')}>Add from query</Button>
                )}
                <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
                  Edit
                </Button>
                <ConfirmButton
                  label="Delete"
                  title={`Delete “${defangText(dataset.name)}”?`}
                  confirm="Delete"
                  onConfirm={remove}
                >
                  Its entities are not deleted. This cannot be undone.
                </ConfirmButton>
              </>
            )}
          </>
        }
      />
      <Modal opened={open === 'edit'} onClose={close} title="Edit dataset" size="lg">
        <DatasetForm dataset={dataset} onCancel={close} onDone={close} />
      </Modal>
      <Modal
        opened={open === 'fill'}
        onClose={close}
        title={`Update “${defangText(dataset.name)}” from a query`}
        size="lg"
      >
        <FillDataset dataset={dataset} onClose={close} />
      </Modal>
    </>
  )
}

function DatasetFacts({ dataset }: { readonly dataset: Dataset }) {
  const workspaces = useNames('workspaces')
  const users = useNames('users')
  return (
    <Facts
      facts={[
        ['Entities', dataset.entities_count.toLocaleString('en')],
        [
          'Workspaces',
          <Group key="workspaces" gap={6}>
            {dataset.workspaces.map((at) => (
              <PageLink key={at} to={`/workspaces/${idOf(at)}`}>
                {nameOf(workspaces, at)}
              </PageLink>
            ))}
          </Group>,
        ],
        ['Created', <Moment key="made" at={dataset.created_at} />],
        ['Created by', dataset.created_by ? nameOf(users, dataset.created_by) : 'Unknown user'],
        ['Last updated', <Moment key="changed" at={dataset.last_updated_at} />],
      ]}
    />
  )
}

function DatasetQuery({ dataset: { search_query, relational_query } }: { readonly dataset: Dataset }) {
  if (!search_query && !relational_query) return null
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        {search_query && (
          <Group justify="space-between" align="flex-start">
            <Code className="code">{search_query}</Code>
            {!relational_query && (
              <PageLink to="/" search={{ q: search_query }}>
                Open in search
              </PageLink>
            )}
          </Group>
        )}
        {relational_query && <Code block>{JSON.stringify(relational_query, null, 2)}</Code>}
      </Stack>
    </Paper>
  )
}

function DatasetEntities({ dataset }: { readonly dataset: Dataset }) {
  const may = useMay()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const taken = useMutation({
    mutationFn: (ids: ReadonlySet<string>) => fillDataset(dataset.id, 'remove', queryOfIds(ids)),
    onError: showErrorToast,
    onSuccess: (_, ids) => {
      setChosen(new Set())
      showToast(`${ids.size} ${ids.size === 1 ? 'entity' : 'entities'} removed from the dataset`, async () => {
        taken.reset()
        const run = await fillDataset(dataset.id, 'add', queryOfIds(ids))
        await waitForRun(run).finally(renewEntities)
      })
    },
  })
  const mayRemove = may('modify intel-sets') && !dataset.is_dynamic
  return (
    <Stack gap="xs">
      {chosen.size > 0 && (
        <Group>
          <Text size="sm">{chosen.size} selected</Text>
          <Button size="xs" color="red" variant="light" loading={taken.isPending} onClick={() => taken.mutate(chosen)}>
            Remove from dataset
          </Button>
          <Button size="xs" variant="default" onClick={() => setChosen(new Set())}>
            Clear selection
          </Button>
        </Group>
      )}
      {taken.data && may('read tasks') && <RunProgress run={taken.data} onEnded={renewEntities} />}
      <EntityTable
        label="Entities in this dataset"
        parameters={{ 'filter[datasets]': dataset.id }}
        {...(mayRemove && { selection: { ids: chosen, onChange: setChosen } })}
        empty={
          <EmptyState title="No entities in this dataset">
            {dataset.is_dynamic
              ? 'Entities appear here as soon as they match its query.'
              : 'Add entities from a query, or from the search page.'}
          </EmptyState>
        }
      />
    </Stack>
  )
}
