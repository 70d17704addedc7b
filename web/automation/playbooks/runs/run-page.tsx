import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { oneQuery } from '../../../api/lists.ts'
import { nameOf, useNames } from '../../../api/names.ts'
import type { Playbook, PlaybookRun } from '../../../api/resources.ts'
import { useMay } from '../../../api/session.ts'
import { lasted } from '../../../background/run-list.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ErrorFaults } from '../../../ui/faults.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { NoPermission } from '../../../ui/no-permission.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { readSteps } from '../editor/steps.ts'
import { useReferenceNames } from '../names.ts'
import { PLAYBOOKS } from '../playbook.ts'
import { stepKindsQuery } from '../playbook-queries.ts'
import { RunObject } from './run-object.tsx'
import { changeRun } from './run-queries.ts'
import { PlaybookRunBadge } from './run-state-badge.tsx'
import { isOpen, stepOf, withPlanned } from './run-step.ts'
import { causeName } from './run-table.tsx'
import { StepTimeline } from './timeline.tsx'

const REFRESH_MS = 2_000

/** The page of a run of a playbook: what each step was given, what came of it, and what to do if it failed. */
export function PlaybookRunPage() {
  const { id = '', run: runId = '' } = useParams({ strict: false }) as { id?: string; run?: string }
  const canRead = useMay()('read playbooks')
  const playbook = useQuery({ ...oneQuery<Playbook>(`playbooks/${id}`), enabled: canRead })
  const run = useQuery({
    ...oneQuery<PlaybookRun>(`playbooks/${id}/runs/${runId}`),
    enabled: canRead,
    refetchInterval: ({ state: { data } }) => (data && isOpen(data.state) ? REFRESH_MS : false),
  })
  if (!canRead)
    return (
      <>
        <PageHead title="Run of a playbook" />
        <NoPermission permission="read playbooks" />
      </>
    )
  return (
    <>
      <PageLink to={`${PLAYBOOKS.page}/${id}`} search={{ tab: 'runs' }} size="xs">
        {playbook.data ? defangText(playbook.data.name) : 'Playbook'}
      </PageLink>
      {run.data ? (
        <Opened id={id} playbook={playbook.data} run={run.data} />
      ) : (
        <>
          <PageHead title="Run of a playbook" />
          {run.error ? <LoadFault query={run} /> : <Skeleton h={300} role="status" aria-label="Loading run" />}
        </>
      )}
    </>
  )
}

interface OpenedProps {
  readonly id: string
  /** Undefined until it is loaded. */
  readonly playbook: Playbook | undefined
  readonly run: PlaybookRun
}

function Opened({ id, playbook, run }: OpenedProps) {
  const users = useNames('users')
  const kinds = useQuery(stepKindsQuery)
  const changed = useMutation({ mutationFn: (verb: 'stop' | 'retry') => changeRun(id, run.id, verb) })
  // Another version may have had other steps.
  const planned = playbook?.version === run.version ? readSteps(playbook.steps) : []
  const steps = withPlanned(run.steps, planned)
  const names = useReferenceNames(steps.map(stepOf))
  const isBad = run.state === 'FAILURE' || run.state === 'WARNING'
  return (
    <Stack>
      <PageHead
        title={playbook === undefined ? 'Run of a playbook' : `Run of “${defangText(playbook.name)}”`}
        after={<PlaybookRunBadge run={run} />}
        actions={<RunActions run={run} isSending={changed.isPending} onChange={changed.mutate} />}
      />
      <ErrorFaults error={changed.error} />
      {run.reason && (
        <Alert
          color={run.state === 'FAILURE' ? 'red' : isBad ? 'yellow' : 'gray'}
          icon={<Icon name={isOpen(run.state) ? 'pause' : 'warning'} />}
        >
          {defangText(run.reason)}
        </Alert>
      )}
      <Facts
        facts={[
          ['Object', <RunObject key="object" run={run} />],
          ['Started by', run.created_by === null ? causeName(run.cause) : defangText(nameOf(users, run.created_by))],
          ['Requested', <Moment key="asked" at={run.created_at} />],
          ['Ended', <Moment key="ended" at={run.ended_at} otherwise="Not yet" />],
          ['Duration', lasted(run.started_at, run.ended_at, Date.now())],
          ['Version of the playbook', String(run.version)],
        ]}
      />
      <Card title="Steps">
        <StepTimeline steps={steps} kinds={kinds.data ?? []} names={names} />
      </Card>
    </Stack>
  )
}

interface RunActionsProps {
  readonly run: PlaybookRun
  readonly isSending: boolean
  readonly onChange: (verb: 'stop' | 'retry') => void
}

function RunActions({ run, isSending, onChange }: RunActionsProps) {
  if (!useMay()('modify playbooks')) return null
  const canRetry = run.state === 'FAILURE' || run.state === 'REVOKED'
  return (
    <Group gap="xs">
      {isOpen(run.state) && (
        <Button variant="default" color="red" loading={isSending} onClick={() => onChange('stop')}>
          Stop
        </Button>
      )}
      {canRetry && (
        <Button leftSection={<Icon name="refresh" size={14} />} loading={isSending} onClick={() => onChange('retry')}>
          {run.state === 'FAILURE' ? 'Retry from failed step' : 'Go on'}
        </Button>
      )}
    </Group>
  )
}
