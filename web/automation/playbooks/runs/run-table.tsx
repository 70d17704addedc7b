import { Button, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../../../api/lists.ts'
import { nameOf, useNames } from '../../../api/names.ts'
import type { PlaybookRun } from '../../../api/resources.ts'
import { lasted } from '../../../background/run-list.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListEnd } from '../../../ui/list-end.tsx'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { TableFrame } from '../../../ui/table-frame.tsx'
import { useUrlState } from '../../../ui/use-url-state.ts'
import { RunObject } from './run-object.tsx'
import { PlaybookRunBadge } from './run-state-badge.tsx'
import { RUN_STATES } from './run-step.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 5_000

const ATTRIBUTES =
  'id,version,collection,entity,observable,file,object_title,cause,state,reason,created_at,created_by,started_at,ended_at'

type Row = Omit<PlaybookRun, 'playbook' | 'steps'>

const CAUSES: Readonly<Record<PlaybookRun['cause'], string>> = {
  change: 'Change',
  schedule: 'Schedule',
  manual: 'By hand',
}

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const STATES = options(Object.fromEntries(Object.entries(RUN_STATES).map(([state, { label }]) => [state, label])))

/** The runs of a playbook, the latest first, with filters by state and cause. */
export function PlaybookRuns({ playbook }: { readonly playbook: number }) {
  const url = useUrlState()
  const [state, cause] = [url.get('state'), url.get('cause')]
  const isFiltered = state !== '' || cause !== ''
  const list = useInfiniteQuery({
    ...endlessQuery<Row>(`playbooks/${playbook}/runs`, {
      attributes: ATTRIBUTES,
      sort: '-created_at',
      limit: PAGE_SIZE,
      ...(state !== '' && { 'filter[state]': state }),
      ...(cause !== '' && { 'filter[cause]': cause }),
    }),
    refetchInterval: REFRESH_MS,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Select
          aria-label="State"
          placeholder="Any state"
          data={STATES}
          value={state || null}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear state' }}
          onChange={(value) => url.set({ state: value })}
          w={210}
        />
        <Select
          aria-label="Started by"
          placeholder="Started by anything"
          data={options(CAUSES)}
          value={cause || null}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear started by' }}
          onChange={(value) => url.set({ cause: value })}
          w={190}
        />
      </Group>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading runs" />}
      {rows?.length === 0 && !isFiltered && (
        <EmptyState title="No runs yet">
          A run starts when the trigger applies to an object, or when you run the playbook by hand. Runs are kept for 30
          days.
        </EmptyState>
      )}
      {rows?.length === 0 && isFiltered && (
        <EmptyState
          title="No matching runs"
          action={
            <Button variant="default" onClick={() => url.set({ state: null, cause: null })}>
              Show all runs
            </Button>
          }
        />
      )}
      {rows && rows.length > 0 && <Rows playbook={playbook} rows={rows} />}
      <ListEnd list={list} />
    </Stack>
  )
}

function Rows({ playbook, rows }: { readonly playbook: number; readonly rows: readonly Row[] }) {
  const users = useNames('users')
  return (
    <TableFrame minWidth={860}>
      <Table aria-label="Runs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={160}>Started</Table.Th>
            <Table.Th>Object</Table.Th>
            <Table.Th w={320}>State</Table.Th>
            <Table.Th w={130}>Started by</Table.Th>
            <Table.Th w={100}>Duration</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <PageLink to={`/playbooks/${playbook}/runs/${run.id}`}>
                  <Moment at={run.created_at} />
                </PageLink>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <RunObject run={run} />
              </Table.Td>
              <Table.Td>
                <PlaybookRunBadge run={run} />
                {run.reason && (
                  <Text size="xs" c="dimmed" lineClamp={2}>
                    {defangText(run.reason)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {run.created_by === null ? CAUSES[run.cause] : defangText(nameOf(users, run.created_by))}
              </Table.Td>
              <Table.Td>{lasted(run.started_at, run.ended_at, Date.now())}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** What started a run, in words. */
export const causeName = (cause: PlaybookRun['cause']): string => CAUSES[cause]
