import { Badge, Button, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { endlessQuery, idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { useUrlState } from '../../ui/use-url-state.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { matrixName } from '../matrices.ts'
import { MatrixFilter } from '../matrix-select.tsx'
import { ANALYSES, type Analysis, scopeInWords } from './analysis.ts'
import { AnalysisForm } from './analysis-form.tsx'
import { ImportLayer } from './import-layer.tsx'

/** The list of analyses. */
export function Analyses() {
  const canRead = useMay()('read attack')
  const url = useUrlState()
  const navigate = useNavigate()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create analysis', 'modify attack')
  const matrix = url.get('matrix')
  const list = useInfiniteQuery({
    ...endlessQuery<Analysis>(ANALYSES, {
      ...(matrix !== '' && { 'filter[attack_matrix]': matrix }),
      sort: 'name',
      limit: 50,
    }),
    enabled: canRead,
  })
  const analyses = list.data?.pages.flatMap(({ data }) => data)
  if (!canRead)
    return (
      <>
        <AttackTabs />
        <PageHead title="Analyses" />
        <NoPermission permission="read attack" />
      </>
    )
  const create = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
      Create analysis
    </Button>
  )
  return (
    <>
      <AttackTabs />
      <PageHead
        title="Analyses"
        description="What a set of intelligence says about one matrix, with your notes. The results are always current."
        actions={
          <>
            {mayCreate && (
              <Button
                variant="default"
                leftSection={<Icon name="upload" />}
                onClick={() => url.set({ import: 'true' }, true)}
              >
                Import layer
              </Button>
            )}
            {create}
          </>
        }
      />
      <Stack gap="sm">
        <Group gap="sm">
          <MatrixFilter value={matrix} onChange={(value) => url.set({ matrix: value }, true)} />
        </Group>
        <LoadFault query={list} />
        {list.isPending && <Skeleton h={240} role="status" aria-label="Loading analyses" />}
        {analyses?.length === 0 && (matrix === '' ? <NoAnalyses action={create} /> : <NoMatch />)}
        {analyses && analyses.length > 0 && <AnalysisTable analyses={analyses} />}
        <ListEnd list={list} />
      </Stack>
      <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New analysis" size="lg">
        <AnalysisForm
          onCancel={() => setIsCreating(false)}
          onDone={({ id }) => void navigate({ to: `/attack/analyses/${id}` })}
        />
      </Modal>
      {mayCreate && url.get('import') !== '' && <ImportLayer onClose={() => url.set({ import: null }, true)} />}
    </>
  )
}

const NoMatch = () => <EmptyState title="No analyses of this matrix" />

const NoAnalyses = ({ action }: { readonly action: ReactNode }) => (
  <EmptyState title="No analyses yet" action={action}>
    An analysis covers some entities, a dataset, or everything you can see. It shows which techniques they use and what
    you can detect, holds your notes about each technique, and is exported as a layer for ATT&CK Navigator.
  </EmptyState>
)

function AnalysisTable({ analyses }: { readonly analyses: readonly Analysis[] }) {
  const users = useNames('users')
  return (
    <TableFrame minWidth={760}>
      <Table aria-label="Analyses">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={120}>Matrix</Table.Th>
            <Table.Th w={240}>Scope</Table.Th>
            <Table.Th w={140}>Created by</Table.Th>
            <Table.Th w={160}>Last updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {analyses.map((analysis) => (
            <Table.Tr key={analysis.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <PageLink to={`/attack/analyses/${analysis.id}`} fw={500}>
                  {defangText(analysis.name)}
                </PageLink>
                {analysis.description && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    <PlainText text={analysis.description} />
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <MatrixBadge matrix={analysis.attack_matrix} />
              </Table.Td>
              <Table.Td>
                <Scope analysis={analysis} />
              </Table.Td>
              <Table.Td>{analysis.created_by === null ? '–' : nameOf(users, analysis.created_by)}</Table.Td>
              <Table.Td>
                <Moment at={analysis.last_updated_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** The matrix of an analysis. */
export const MatrixBadge = ({ matrix }: { readonly matrix: string }) => (
  <Badge variant="default" radius="xs" fw={500}>
    {matrixName(matrix)}
  </Badge>
)

/** What an analysis covers, with links to its datasets. */
export function Scope({ analysis }: { readonly analysis: Analysis }) {
  const datasets = useNames('datasets')
  const [only, ...more] = analysis.scope_datasets
  if (only === undefined || more.length > 0 || analysis.scope_entities.length > 0)
    return <Text size="sm">{scopeInWords(analysis)}</Text>
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Dataset <PageLink to={`/datasets/${idOf(only)}`}>{defangText(nameOf(datasets, only))}</PageLink>
    </Text>
  )
}
