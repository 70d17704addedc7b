import { Alert, Button, Group, Paper, Skeleton, Tabs } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { defangText } from '../domain/defang-text.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadFault } from '../ui/load-fault.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { showToast } from '../ui/toasts.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { deleteRules, renewRules, runRule } from './rule-actions.ts'
import type { Rule, RuleKind } from './rule-kind.ts'
import { stateOf } from './rule-state.ts'
import { RuleStateBadge } from './rule-state-badge.tsx'
import { ActiveSwitch } from './rule-table.tsx'

/** A tab on the page of a rule. */
export interface RuleTab<R> {
  readonly name: string
  readonly label: string
  readonly show: (rule: R) => ReactNode
}

interface RulePageProps<R> {
  readonly kind: RuleKind
  readonly id: string
  readonly tabs: readonly RuleTab<R>[]
}

const REFRESH_MS = 10_000

/** The page of a rule, with its state, actions and tabs. */
export function RulePage<R extends Rule>({ kind, id, tabs }: RulePageProps<R>) {
  const canRead = useMay()(`read ${kind.permission}`)
  const rule = useQuery({ ...oneQuery<R>(`${kind.path}/${id}`), enabled: canRead, refetchInterval: REFRESH_MS })
  if (!canRead) return <NoPermission permission={`read ${kind.permission}`} />
  if (rule.data) return <Opened kind={kind} rule={rule.data} tabs={tabs} />
  if (!rule.error) return <Skeleton h={300} role="status" aria-label="Loading" />
  return (
    <>
      <PageHead title={kind.title} />
      <LoadFault query={rule} />
    </>
  )
}

interface OpenedProps<R> {
  readonly kind: RuleKind
  readonly rule: R
  readonly tabs: readonly RuleTab<R>[]
}

function Opened<R extends Rule>({ kind, rule, tabs }: OpenedProps<R>) {
  const url = useUrlState()
  const started = useMutation({ mutationFn: () => runRule(kind, rule) })
  const tab = tabs.find(({ name }) => name === url.get('tab')) ?? tabs[0]
  const state = stateOf(rule)
  return (
    <>
      <PageLink to={kind.page} size="xs">
        {kind.title}
      </PageLink>
      <PageHead
        title={defangText(rule.name)}
        description={rule.description && defangText(rule.description)}
        after={<RuleStateBadge state={state} />}
        actions={<RuleActions kind={kind} rule={rule} isStarting={started.isPending} onRun={() => started.mutate()} />}
      />
      {rule.problem !== null && (
        <Alert mb="md" color="red" icon={<Icon name="warning" />} title="This rule does not work at present">
          {defangText(rule.problem)}
        </Alert>
      )}
      {rule.warning && (
        <Alert
          mb="md"
          color="yellow"
          icon={<Icon name="warning" />}
          title="Something did not work when the rule last acted"
        >
          {defangText(rule.warning)}
        </Alert>
      )}
      <ErrorFaults error={started.error} />
      {started.data && (
        <Paper withBorder p="md" mb="md">
          <RunProgress key={started.data} run={started.data} onEnded={() => void renewRules(kind)} />
        </Paper>
      )}
      <Tabs
        value={tab?.name ?? null}
        onChange={(value) => url.set({ tab: value === tabs[0]?.name ? null : value, run: null }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, show }) => (
          <Tabs.Panel key={name} value={name}>
            {show(rule)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

interface RuleActionsProps {
  readonly kind: RuleKind
  readonly rule: Rule
  readonly isStarting: boolean
  readonly onRun: () => void
}

function RuleActions({ kind, rule, isStarting, onRun }: RuleActionsProps) {
  const may = useMay()
  const navigate = useNavigate()
  if (!may(`modify ${kind.permission}`)) return null
  return (
    <Group gap="sm">
      <ActiveSwitch kind={kind} rule={rule} label="Active" />
      {may('modify tasks') && rule.task !== null && (
        <Button
          leftSection={<Icon name="play" size={14} />}
          loading={isStarting}
          disabled={!rule.is_active}
          onClick={onRun}
        >
          Run now
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="edit" />}
        onClick={() => void navigate({ to: `${kind.page}/${rule.id}/edit` })}
      >
        Edit
      </Button>
      <ConfirmButton
        label="Delete"
        title={`Delete “${defangText(rule.name)}”?`}
        confirm="Delete rule"
        onConfirm={async () => {
          await deleteRules(kind, [rule.id])
          await navigate({ to: kind.page })
          showToast(`Rule “${defangText(rule.name)}” deleted`)
          await renewRules(kind)
        }}
      >
        {kind.afterDelete} This cannot be undone.
      </ConfirmButton>
    </Group>
  )
}
