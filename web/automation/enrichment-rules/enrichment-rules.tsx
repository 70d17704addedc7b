import { Badge, Button, Skeleton, Switch, Table, Text, Tooltip } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RunStateBadge } from '../../background/run-state.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { RuleForm } from './rule-form.tsx'
import { rulesQuery } from './rule-queries.ts'

const REFRESH_MS = 15_000

/** All enrichment rules. */
export function EnrichmentRules() {
  const may = useMay()
  const navigate = useNavigate()
  const canRead = may('read enrichment-rules')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('New enrichment rule', 'modify enrichment-rules')
  const list = useQuery({ ...rulesQuery, enabled: canRead, refetchInterval: REFRESH_MS })
  const create = mayCreate && <Button onClick={() => setIsCreating(true)}>New rule</Button>
  const rules = list.data?.data
  return (
    <>
      <PageHead
        title="Enrichment rules"
        description="Look up the observables of new data automatically."
        actions={create}
      />
      {!canRead && <NoPermission permission="read enrichment-rules" />}
      <LoadFault query={list} />
      {canRead && list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {rules?.length === 0 && (
        <EmptyState title="No enrichment rules yet" action={create}>
          A rule asks enrichers about the observables of new entities, for example of all indicators from one feed. It
          stays within the limits of each enricher.
        </EmptyState>
      )}
      {rules && rules.length > 0 && <RuleTable rules={rules} />}
      {isCreating && (
        <RuleForm
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => {
            void invalidate('enrichment-rules')
            void navigate({ to: `/enrichment-rules/${id}` as never })
          }}
        />
      )}
    </>
  )
}

function RuleTable({ rules }: { readonly rules: readonly EnrichmentRule[] }) {
  const names = useNames('enrichers')
  return (
    <TableFrame minWidth={820}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Enrichers</Table.Th>
            <Table.Th>Data</Table.Th>
            <Table.Th>Latest run</Table.Th>
            <Table.Th ta="end">Look-ups</Table.Th>
            <Table.Th>Last look-up</Table.Th>
            <Table.Th>Active</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <Table.Tr key={rule.id}>
              <Table.Td>
                <PageLink to={`/enrichment-rules/${rule.id}`}>{rule.name}</PageLink>
                <RuleProblem problem={rule.problem} />
              </Table.Td>
              <Table.Td maw={280}>
                <Text size="sm" lineClamp={2}>
                  {rule.enrichers.map((url) => nameOf(names, url)).join(', ') || '–'}
                </Text>
              </Table.Td>
              <Table.Td>{rule.is_retroactive ? 'New and existing' : 'New'}</Table.Td>
              <Table.Td>{rule.status === null ? '–' : <RunStateBadge state={rule.status} />}</Table.Td>
              <Table.Td ta="end">{rule.enqueued_count.toLocaleString('en')}</Table.Td>
              <Table.Td>
                <Moment at={rule.last_enqueued_at} otherwise="Never" />
              </Table.Td>
              <Table.Td>
                <RuleSwitch rule={rule} isBare />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** Why a rule does not do everything that it should. */
function RuleProblem({ problem }: { readonly problem: string | null }) {
  if (problem === null) return null
  return (
    <Tooltip label={problem} multiline maw={360}>
      <Badge variant="light" radius="xs" color="red" ml="xs">
        Problem
      </Badge>
    </Tooltip>
  )
}

interface RuleSwitchProps {
  readonly rule: EnrichmentRule
  /** Whether the label is only announced by screen readers. */
  readonly isBare?: boolean
}

/** Activates or deactivates a rule. */
export function RuleSwitch({ rule, isBare = false }: RuleSwitchProps) {
  const may = useMay()
  const toggled = useMutation({
    mutationFn: (is_active: boolean) => call('PATCH', `enrichment-rules/${rule.id}`, { data: { is_active } }),
    onSuccess: () => invalidate('enrichment-rules'),
    onError: showErrorToast,
  })
  const label = isBare ? { 'aria-label': `Active: ${rule.name}` } : { label: 'Active' }
  return (
    <Switch
      {...label}
      checked={toggled.isPending ? toggled.variables : rule.is_active}
      disabled={!may('modify enrichment-rules') || toggled.isPending}
      onChange={({ currentTarget }) => toggled.mutate(currentTarget.checked)}
    />
  )
}
