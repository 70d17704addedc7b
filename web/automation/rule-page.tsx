import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadFault } from '../ui/load-fault.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { type PageTab, PageTabs } from '../ui/page-tabs.tsx'
import { showToast } from '../ui/toasts.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { deleteRules, renewRules } from './rule-actions.ts'
import { nounOf, type Rule, type RuleKind } from './rule-kind.ts'
import { canRun, stateOf } from './rule-state.ts'
import { RunNowButton, RunNowProgress, useRunNow } from './run-now.tsx'
import { StateBadge } from './state-badge.tsx'

interface RulePageProps<R> {
  readonly kind: RuleKind
  readonly id: string
  readonly tabs: readonly PageTab<R>[]
  /** Buttons before those that all rules have. */
  readonly actions?: (rule: R) => ReactNode
  /** Shown above the tabs. */
  readonly notice?: (rule: R) => ReactNode
  /** The button that deletes the rule, if it is not the usual one. */
  readonly deleteButton?: (rule: R) => ReactNode
}

const REFRESH_MS = 10_000

/** The page of a rule, with its state, actions and tabs. */
export function RulePage<R extends Rule>({ kind, id, ...parts }: RulePageProps<R>) {
  const canRead = useMay()(`read ${kind.permission}`)
  const rule = useQuery({ ...oneQuery<R>(`${kind.path}/${id}`), enabled: canRead, refetchInterval: REFRESH_MS })
  if (!canRead)
    return (
      <>
        <PageHead title={kind.title} />
        <NoPermission permission={`read ${kind.permission}`} />
      </>
    )
  if (rule.data) return <Opened kind={kind} rule={rule.data} {...parts} />
  if (!rule.error) return <Skeleton h={300} role="status" aria-label="Loading" />
  return (
    <>
      <PageHead title={kind.title} />
      <LoadFault query={rule} />
    </>
  )
}

interface OpenedProps<R> extends Omit<RulePageProps<R>, 'id'> {
  readonly rule: R
}

function Opened<R extends Rule>({ kind, rule, tabs, actions, notice, deleteButton }: OpenedProps<R>) {
  const started = useRunNow(kind, rule)
  const state = stateOf(rule)
  return (
    <>
      <PageLink to={kind.page} size="xs">
        {kind.title}
      </PageLink>
      <PageHead
        title={defangText(rule.name)}
        description={rule.description && defangText(rule.description)}
        after={<StateBadge state={state} />}
        actions={
          <RuleActions kind={kind} rule={rule} started={started} deleteButton={deleteButton?.(rule)}>
            {actions?.(rule)}
          </RuleActions>
        }
      />
      {notice?.(rule)}
      {rule.problem && (
        <Alert mb="md" color="red" icon={<Icon name="warning" />} title={`This ${nounOf(kind)} is not working`}>
          {defangText(rule.problem)}
        </Alert>
      )}
      {rule.warning && (
        <Alert
          mb="md"
          color="yellow"
          icon={<Icon name="warning" />}
          title={kind.warningTitle ?? `Something went wrong when the ${nounOf(kind)} was last applied`}
        >
          {defangText(rule.warning)}
        </Alert>
      )}
      <RunNowProgress started={started} kind={kind} />
      <PageTabs tabs={tabs} of={rule} />
    </>
  )
}

interface RuleActionsProps {
  readonly kind: RuleKind
  readonly rule: Rule
  readonly started: ReturnType<typeof useRunNow>
  readonly deleteButton: ReactNode
  readonly children: ReactNode
}

function RuleActions({ kind, rule, started, deleteButton, children }: RuleActionsProps) {
  const may = useMay()
  const navigate = useNavigate()
  if (!may(`modify ${kind.permission}`)) return null
  return (
    <Group gap="sm">
      {children}
      <ActiveSwitch kind={kind} of={rule} label="Active" />
      {canRun(rule) && <RunNowButton started={started} isActive={rule.is_active} label={kind.runLabel} />}
      <Button
        variant="default"
        leftSection={<Icon name="edit" />}
        onClick={() => void navigate({ to: `${kind.page}/${rule.id}/edit` })}
      >
        Edit
      </Button>
      {deleteButton ?? <DeleteRule kind={kind} rule={rule} />}
    </Group>
  )
}

function DeleteRule({ kind, rule }: Pick<RuleActionsProps, 'kind' | 'rule'>) {
  const navigate = useNavigate()
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete “${defangText(rule.name)}”?`}
      confirm={`Delete ${nounOf(kind)}`}
      onConfirm={async () => {
        await deleteRules(kind, [rule.id])
        await navigate({ to: kind.page })
        showToast(`“${defangText(rule.name)}” deleted`)
        await renewRules(kind)
      }}
    >
      {kind.afterDelete} This cannot be undone.
    </ConfirmButton>
  )
}
