import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { ActiveSwitch } from '../active-switch.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { ENRICHERS, enrichersQuery, functionsQuery } from './enricher-queries.ts'
import { canResume, EnricherState } from './enricher-state.tsx'
import { NewEnricher } from './new-enricher.tsx'
import { successRate } from './quota.ts'
import { QuotaBars } from './quota-bars.tsx'
import { EnricherSection } from './section.tsx'

/** How often states and queues are refreshed. */
const REFRESH_MS = 10_000

/** All enrichers with their states, queues and limits. */
export function Enrichers() {
  const may = useMay()
  const navigate = useNavigate()
  const canRead = may('read enrichers')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('New enricher', 'modify enrichers')
  const list = useQuery({ ...enrichersQuery, enabled: canRead, refetchInterval: REFRESH_MS })
  if (!canRead)
    return (
      <>
        <PageHead title="Enrichers" />
        <NoPermission permission="read enrichers" />
      </>
    )
  const create = mayCreate && <Button onClick={() => setIsCreating(true)}>New enricher</Button>
  const enrichers = list.data?.data
  return (
    <EnricherSection path="/enrichers" actions={create}>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {enrichers?.length === 0 && (
        <EmptyState title="No enrichers yet" action={create}>
          An enricher asks a service, or a table of your own, what it knows about an address, domain or hash. Choose a
          function, add its API key and test it with a value.
        </EmptyState>
      )}
      {enrichers && enrichers.length > 0 && <EnricherTable enrichers={enrichers} />}
      {isCreating && (
        <NewEnricher
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => {
            void invalidate('enrichers')
            void navigate({ to: `/enrichers/${id}` as never, search: { tab: 'test' } as never })
          }}
        />
      )}
    </EnricherSection>
  )
}

function EnricherTable({ enrichers }: { readonly enrichers: readonly Enricher[] }) {
  const functions = useQuery(functionsQuery)
  const titles = new Map((functions.data ?? []).map(({ name, title }) => [name, title]))
  const times = useTaskTimes(enrichers.map(({ task }) => task))
  return (
    <TableFrame minWidth={960}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="end">Queue</Table.Th>
            <Table.Th w={210}>Calls left</Table.Th>
            <Table.Th ta="end">Answered</Table.Th>
            <Table.Th>Last call</Table.Th>
            <Table.Th>Next run</Table.Th>
            <Table.Th>Active</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {enrichers.map((enricher) => (
            <EnricherRow
              key={enricher.id}
              enricher={enricher}
              title={titles.get(enricher.enricher) ?? enricher.enricher}
              nextRun={timesOf(times, enricher)?.next_run_at ?? null}
            />
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

interface EnricherRowProps {
  readonly enricher: Enricher
  /** The title of its function. */
  readonly title: string
  readonly nextRun: string | null
}

function EnricherRow({ enricher, title, nextRun }: EnricherRowProps) {
  const rate = successRate(enricher)
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to={`/enrichers/${enricher.id}`}>{enricher.name}</PageLink>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {title}
        </Text>
      </Table.Td>
      <Table.Td maw={280}>
        <Group gap="xs" wrap="nowrap">
          <EnricherState enricher={enricher} />
          <ResumeButton enricher={enricher} />
        </Group>
        {enricher.state_reason && (
          <Text size="xs" c="dimmed" lineClamp={2} mt={2}>
            {enricher.state_reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">{enricher.waiting_count.toLocaleString('en')}</Table.Td>
      <Table.Td>
        <QuotaBars quota={enricher.quota} />
      </Table.Td>
      <Table.Td ta="end" title={countsText(enricher)}>
        {rate === null ? '–' : `${rate}%`}
      </Table.Td>
      <Table.Td>
        <Moment at={enricher.last_call_at} otherwise="Never" />
      </Table.Td>
      <Table.Td>
        <Moment at={nextRun} otherwise="Not scheduled" />
      </Table.Td>
      <Table.Td>
        <ActiveSwitch kind={ENRICHERS} of={enricher} />
      </Table.Td>
    </Table.Tr>
  )
}

const countsText = ({ found_count, empty_count, failed_count }: Enricher): string =>
  `${found_count.toLocaleString('en')} found, ${empty_count.toLocaleString('en')} not found, ${failed_count.toLocaleString('en')} failed`

/** Ends the suspension, wait or open circuit of an enricher. */
export function ResumeButton({ enricher }: { readonly enricher: Enricher }) {
  const may = useMay()
  const resumed = useMutation({
    mutationFn: () => call('POST', `enrichers/${enricher.id}/resume`),
    onSuccess: async () => {
      showToast(`“${enricher.name}” resumed`)
      await invalidate('enrichers')
    },
    onError: showErrorToast,
  })
  if (!canResume(enricher) || !may('modify enrichers')) return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Resume ${enricher.name}`}
      loading={resumed.isPending}
      onClick={() => resumed.mutate()}
    >
      Resume
    </Button>
  )
}
