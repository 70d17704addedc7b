import { Alert, Button, Group, Modal, Paper, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { EnricherForm } from './enricher-form.tsx'
import { EnricherOverview } from './enricher-overview.tsx'
import { enricherQuery, functionsQuery } from './enricher-queries.ts'
import { EnricherState } from './enricher-state.tsx'
import { ActiveSwitch, ResumeButton } from './enrichers.tsx'
import { LatestResults } from './latest-results.tsx'
import { LookUpRuns } from './look-up-runs.tsx'
import { TestPanel } from './test-panel.tsx'

const REFRESH_MS = 10_000

interface Tab {
  readonly name: string
  readonly label: string
  readonly permission?: string
  readonly show: (enricher: Enricher) => ReactNode
}

const TABS: readonly Tab[] = [
  { name: 'overview', label: 'Overview', show: (enricher) => <EnricherOverview enricher={enricher} /> },
  {
    name: 'test',
    label: 'Test',
    permission: 'modify enrichers',
    show: (enricher) => <TestPanel enricher={enricher} />,
  },
  {
    name: 'results',
    label: 'Latest results',
    permission: 'read enrichments',
    show: (enricher) => <LatestResults enricher={enricher} />,
  },
  {
    name: 'runs',
    label: 'Runs',
    permission: 'read tasks',
    show: ({ task }) => (
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Runs of this enricher look up again what has expired. Look-ups that users start on a selection are listed
          under <PageLink to="/runs">Task runs</PageLink>.
        </Text>
        <LookUpRuns task={task} empty="“Run now” looks up again everything whose result has expired." />
      </Stack>
    ),
  },
]

/** The page of an enricher. */
export function EnricherPage() {
  const may = useMay()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = may('read enrichers')
  const found = useQuery({ ...enricherQuery(id), enabled: canRead, refetchInterval: REFRESH_MS })
  if (canRead && found.data) return <Opened key={id} enricher={found.data} />
  return (
    <>
      <PageHead title="Enricher" />
      {!canRead && <NoPermission permission="read enrichers" />}
      {canRead && <LoadFault query={found} />}
      {canRead && found.isPending && <Skeleton h={300} role="status" aria-label="Loading" />}
    </>
  )
}

function Opened({ enricher }: { readonly enricher: Enricher }) {
  const may = useMay()
  const url = useUrlState()
  const functions = useQuery(functionsQuery)
  const own = functions.data?.find(({ name }) => name === enricher.enricher)
  const tabs = TABS.filter(({ permission }) => !permission || may(permission))
  const tab = tabs.find(({ name }) => name === url.get('tab')) ?? tabs[0]
  return (
    <>
      <PageHead
        title={enricher.name}
        description={[own?.title ?? enricher.enricher, enricher.description].filter(Boolean).join(' · ')}
        after={<EnricherState enricher={enricher} />}
        actions={may('modify enrichers') && <Actions enricher={enricher} />}
      />
      {enricher.state_reason && (
        <Alert color={enricher.state === 'WAITING' ? 'yellow' : 'red'} variant="light" mb="md">
          <Group justify="space-between">
            {enricher.state_reason}
            <ResumeButton enricher={enricher} />
          </Group>
        </Alert>
      )}
      <Tabs
        value={tab?.name ?? null}
        onChange={(value) => url.set({ tab: value === tabs[0]?.name ? null : value }, true)}
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
            {show(enricher)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function Actions({ enricher }: { readonly enricher: Enricher }) {
  const may = useMay()
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const { id, name, task, is_active } = enricher
  const run = useMutation({
    mutationFn: async () =>
      (await call<{ data: { id: string } }>('POST', 'tasks/runs', { data: { task: Number(idOf(task ?? '')) } })).data
        .id,
    onSuccess: () => invalidate('tasks/runs'),
  })
  return (
    <>
      <Group gap="sm">
        <ActiveSwitch enricher={enricher} />
        {task !== null && may('modify tasks') && (
          <Button
            leftSection={<Icon name="play" size={14} />}
            loading={run.isPending}
            disabled={!is_active}
            onClick={() => run.mutate()}
          >
            Run now
          </Button>
        )}
        <Button variant="default" onClick={() => setIsEdited(true)}>
          Settings
        </Button>
        <ConfirmButton
          label="Delete"
          title={`Delete “${name}”?`}
          confirm="Delete enricher"
          onConfirm={async () => {
            await call('DELETE', `enrichers/${id}`)
            await navigate({ to: '/enrichers' as never })
            showToast(`Enricher “${name}” deleted`)
            await invalidate('enrichers', 'enrichments', 'observables', 'entities')
          }}
        >
          This also deletes its source and everything that it found: verdicts, links, entities and stored answers. It
          cannot be undone.
        </ConfirmButton>
      </Group>
      {run.error && <ErrorFaults error={run.error} />}
      {run.data && (
        <Paper withBorder p="sm" w="100%">
          <RunProgress key={run.data} run={run.data} onEnded={() => void invalidate('enrichers', 'tasks/runs')} />
        </Paper>
      )}
      {isEdited && <Settings enricher={enricher} onClose={() => setIsEdited(false)} />}
    </>
  )
}

function Settings({ enricher, onClose }: { readonly enricher: Enricher; readonly onClose: () => void }) {
  const functions = useQuery(functionsQuery)
  return (
    <Modal opened onClose={onClose} title={`Settings of ${enricher.name}`} size="xl">
      <LoadFault query={functions} />
      {functions.isPending && <Skeleton h={300} role="status" aria-label="Loading" />}
      {functions.data && (
        <EnricherForm
          own={functions.data.find(({ name }) => name === enricher.enricher)}
          enricher={enricher}
          onCancel={onClose}
          onSaved={() => {
            onClose()
            showToast('Changes saved')
            void invalidate('enrichers')
          }}
        />
      )}
    </Modal>
  )
}
