import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { invalidate } from '../../api/invalidate.ts'
import { useMay } from '../../api/session.ts'
import { TlpBadge } from '../../ui/badges.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { ActiveSwitch } from '../active-switch.tsx'
import { AddDetonator } from './add-detonator.tsx'
import { DayCount } from './day-count.tsx'
import { DETONATORS, type Detonator, detonatorsQuery, useAdapterTitles } from './detonator-queries.ts'
import { DetonatorState, ResumeDetonator, StateReason } from './detonator-state.tsx'
import { kindsInWords, missingParameters } from './detonator-words.ts'

/** How often states and counts are refreshed. */
const REFRESH_MS = 10_000

/** All detonators with their states and how much of their limits is used. */
export function Detonators() {
  const may = useMay()
  const navigate = useNavigate()
  const canRead = may('read detonators')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create detonator', 'modify detonators')
  const list = useQuery({ ...detonatorsQuery, enabled: canRead, refetchInterval: REFRESH_MS })
  if (!canRead)
    return (
      <>
        <PageHead title="Detonators" />
        <NoPermission permission="read detonators" />
      </>
    )
  const create = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
      Create detonator
    </Button>
  )
  const detonators = list.data?.data
  return (
    <>
      <PageHead
        title="Detonators"
        description="Sandboxes that run suspicious files and open suspicious URLs, and report what they do."
        actions={
          <>
            {may('read detonations') && (
              <Button variant="default" renderRoot={(props) => <Link to="/detonations" {...props} />}>
                Show detonations
              </Button>
            )}
            {create}
          </>
        }
      />
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {detonators?.length === 0 && (
        <EmptyState title="No detonators" action={create}>
          A detonator submits samples to a sandbox and stores what its report says.
        </EmptyState>
      )}
      {detonators && detonators.length > 0 && <DetonatorTable detonators={detonators} />}
      {isCreating && (
        <AddDetonator
          onClose={() => setIsCreating(false)}
          onAdded={({ id }) => {
            void invalidate('detonators')
            void navigate({ to: `/detonators/${id}` as never, search: { settings: 'true' } as never })
          }}
        />
      )}
    </>
  )
}

const DetonatorTable = ({ detonators }: { readonly detonators: readonly Detonator[] }) => (
  <TableFrame minWidth={860}>
    <Table aria-label="Detonators">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th w={150}>Submitted today</Table.Th>
          <Table.Th w={130}>Maximum TLP</Table.Th>
          <Table.Th w={120}>Your consent</Table.Th>
          <Table.Th w={100}>Active</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {detonators.map((detonator) => (
          <DetonatorRow key={detonator.id} detonator={detonator} />
        ))}
      </Table.Tbody>
    </Table>
  </TableFrame>
)

function DetonatorRow({ detonator }: { readonly detonator: Detonator }) {
  const { id, adapter, task_name, supported_detonation_types, max_tlp, is_consented } = detonator
  const title = useAdapterTitles().get(adapter) ?? adapter
  const kinds = kindsInWords(supported_detonation_types)
  return (
    <Table.Tr>
      <Table.Td miw={180}>
        <PageLink to={`/detonators/${id}`} fw={500}>
          {task_name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {[title === task_name ? '' : title, kinds && `Takes ${kinds}`].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td maw={320}>
        <Group gap="xs" wrap="nowrap" mb={2}>
          <DetonatorState detonator={detonator} />
          <ResumeDetonator detonator={detonator} />
        </Group>
        <StateReason detonator={detonator} lines={2} />
      </Table.Td>
      <Table.Td>
        <DayCount detonator={detonator} />
      </Table.Td>
      <Table.Td>{max_tlp ? <TlpBadge tlp={max_tlp} /> : 'No maximum'}</Table.Td>
      <Table.Td>{is_consented ? 'Accepted' : <PageLink to={`/detonators/${id}`}>Read terms</PageLink>}</Table.Td>
      <Table.Td>
        <SwitchOrSetUp detonator={detonator} />
      </Table.Td>
    </Table.Tr>
  )
}

/** A detonator without an address or credentials cannot be activated: it is set up first. */
function SwitchOrSetUp({ detonator }: { readonly detonator: Detonator }) {
  const may = useMay()
  const { id, task_name: name, is_active } = detonator
  if (is_active || missingParameters(detonator).length === 0)
    return <ActiveSwitch kind={DETONATORS} of={{ id, name, is_active }} />
  if (!may('modify detonators')) return <Text size="sm">No</Text>
  return (
    <Button
      size="compact-sm"
      variant="light"
      aria-label={`Set up ${name}`}
      renderRoot={(props) => (
        <Link
          {...({ to: `/detonators/${id}`, search: { settings: 'true' } } as unknown as { to: string })}
          {...props}
        />
      )}
    >
      Set up
    </Button>
  )
}
