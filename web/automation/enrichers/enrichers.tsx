import { Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { Moment } from '../../ui/moment.tsx'
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
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create enricher', 'modify enrichers')
  const list = useQuery({ ...enrichersQuery, enabled: canRead, refetchInterval: REFRESH_MS })
  return (
    <EnricherSection
      path="/enrichers"
      one="enricher"
      list={list}
      onCreate={mayCreate && (() => setIsCreating(true))}
      purpose="An enricher looks up addresses, domains and hashes in an online service or in a table of your own. Choose a function, enter its API key and test it with a value."
      table={(enrichers) => <EnricherTable enrichers={enrichers} />}
    >
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
      <Table aria-label="Enrichers">
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
