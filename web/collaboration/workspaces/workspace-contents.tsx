import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listQuery } from '../../api/lists.ts'
import type { Dataset, DiscoveryRule, Graph, File as StoredFile, Ticket } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { FileState } from '../../exchange/file-state.tsx'
import { KindBadge } from '../../intelligence/datasets/dataset-kind.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { inSentence } from '../../ui/in-sentence.ts'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PriorityBadge, StatusBadge } from '../tickets/ticket-badges.tsx'

/** At most this many of the latest objects are shown; the linked page lists all. */
const MAX_SHOWN = 8

interface ContentsProps<T> {
  readonly title: string
  readonly path: string
  readonly permission: string
  readonly workspace: number
  /** The page that lists all of them. */
  readonly all?: string
  readonly empty: string
  /** The filter parameter and attributes, if they differ from the defaults. */
  readonly filter?: string
  readonly attributes?: string
  readonly row: (item: T) => ReactNode
}

function Contents<T extends { readonly id: number }>(props: ContentsProps<T>) {
  const { title, path, permission, workspace, all, empty, row, filter = 'workspaces', attributes } = props
  const may = useMay()
  const list = useQuery({
    ...listQuery<T>(path, { [`filter[${filter}]`]: workspace, sort: '-last_updated_at', limit: MAX_SHOWN, attributes }),
    enabled: may(permission),
  })
  if (!may(permission)) return null
  const total = list.data?.total_count ?? 0
  return (
    <Stack gap={6} component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {all !== undefined && (
          <PageLink to={all} search={{ workspace }}>
            {total > MAX_SHOWN
              ? `Show all ${total.toLocaleString('en')} ${inSentence(title)}`
              : `Open ${inSentence(title)}`}
          </PageLink>
        )}
      </Group>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={40} role="status" aria-label={`Loading ${inSentence(title)}`} />}
      {list.data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {list.data?.data.map((item) => (
        <Group key={item.id} justify="space-between" wrap="nowrap" gap="xs">
          {row(item)}
        </Group>
      ))}
      {all === undefined && total > MAX_SHOWN && (
        <Text size="xs" c="dimmed">
          {(total - MAX_SHOWN).toLocaleString('en')} more
        </Text>
      )}
    </Stack>
  )
}

interface OfWorkspace {
  readonly workspace: number
}

/** The tickets in a workspace. */
export const WorkspaceTickets = ({ workspace }: OfWorkspace) => (
  <Contents<Ticket>
    title="Tickets"
    path="tickets"
    permission="read tickets"
    workspace={workspace}
    all="/tickets"
    empty="No tickets yet."
    row={(ticket) => (
      <>
        <PageLink to={`/tickets/${ticket.id}`} truncate="end">
          {defangText(ticket.name)}
        </PageLink>
        <Group gap={6} wrap="nowrap">
          <PriorityBadge priority={ticket.priority} />
          <StatusBadge status={ticket.status} />
        </Group>
      </>
    )}
  />
)

/** The datasets in a workspace. */
export const WorkspaceDatasets = ({ workspace }: OfWorkspace) => (
  <Contents<Dataset>
    title="Datasets"
    path="datasets"
    permission="read intel-sets"
    workspace={workspace}
    all="/datasets"
    empty="No datasets yet."
    row={(dataset) => (
      <>
        <PageLink to={`/datasets/${dataset.id}`} truncate="end">
          {defangText(dataset.name)}
        </PageLink>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed">
            {dataset.entities_count.toLocaleString('en')}
          </Text>
          <KindBadge dataset={dataset} />
        </Group>
      </>
    )}
  />
)

/** The graphs saved in a workspace. */
export const WorkspaceGraphs = ({ workspace }: OfWorkspace) => (
  <Contents<Pick<Graph, 'id' | 'name' | 'last_updated_at'>>
    title="Graphs"
    path="graphs"
    permission="read graphs"
    workspace={workspace}
    filter="workspace"
    attributes="id,name,last_updated_at"
    empty="No graphs yet. Save a graph to this workspace to share it."
    row={(graph) => (
      <>
        <PageLink to="/graph" search={{ graph: graph.id }} truncate="end">
          {defangText(graph.name)}
        </PageLink>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <Moment at={graph.last_updated_at} />
        </Text>
      </>
    )}
  />
)

/** The files in a workspace. */
export const WorkspaceFiles = ({ workspace }: OfWorkspace) => (
  <Contents<StoredFile>
    title="Files"
    path="files"
    permission="read files"
    workspace={workspace}
    all="/files"
    empty="No files yet."
    row={(file) => (
      <>
        <PageLink to={`/files/${file.id}`} truncate="end">
          {file.name}
        </PageLink>
        <FileState file={file} />
      </>
    )}
  />
)

/** The discovery rules of a workspace. */
export const WorkspaceRules = ({ workspace }: OfWorkspace) => (
  <Contents<DiscoveryRule>
    title="Discovery rules"
    path="discovery-rules"
    permission="read discovery-rules"
    workspace={workspace}
    all="/discovery-rules"
    empty="No discovery rules yet."
    row={(rule) => (
      <>
        <PageLink to={`/discovery-rules/${rule.id}`} truncate="end">
          {rule.name}
        </PageLink>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {rule.discovered_count.toLocaleString('en')} found
        </Text>
      </>
    )}
  />
)
