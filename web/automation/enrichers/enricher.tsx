import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { type PageTab, PageTabs } from '../../ui/page-tabs.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ActiveSwitch } from '../active-switch.tsx'
import { RunNowButton, RunNowProgress, useRunNow } from '../run-now.tsx'
import { EnricherForm } from './enricher-form.tsx'
import { EnricherOverview } from './enricher-overview.tsx'
import { ENRICHERS, enricherQuery, functionsQuery } from './enricher-queries.ts'
import { EnricherState } from './enricher-state.tsx'
import { ResumeButton } from './enrichers.tsx'
import { LatestResults } from './latest-results.tsx'
import { LookUpRuns } from './look-up-runs.tsx'
import { TestPanel } from './test-panel.tsx'

const REFRESH_MS = 10_000

const TABS: readonly PageTab<Enricher>[] = [
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
          Runs refresh expired results. Look-ups that users start on a selection are listed under{' '}
          <PageLink to="/runs">Task runs</PageLink>.
        </Text>
        <LookUpRuns task={task} empty="Choose “Run now” to refresh all expired results." />
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
  const functions = useQuery(functionsQuery)
  const own = functions.data?.find(({ name }) => name === enricher.enricher)
  const started = useRunNow(ENRICHERS, enricher)
  return (
    <>
      <PageLink to="/enrichers" size="xs">
        Enrichers
      </PageLink>
      <PageHead
        title={enricher.name}
        description={[own?.title ?? enricher.enricher, enricher.description].filter(Boolean).join(' · ')}
        after={<EnricherState enricher={enricher} />}
        actions={may('modify enrichers') && <Actions enricher={enricher} started={started} />}
      />
      {enricher.state_reason && (
        <Alert color={enricher.state === 'WAITING' ? 'yellow' : 'red'} variant="light" mb="md">
          <Group justify="space-between">
            {enricher.state_reason}
            <ResumeButton enricher={enricher} />
          </Group>
        </Alert>
      )}
      <RunNowProgress started={started} kind={ENRICHERS} />
      <PageTabs tabs={TABS} of={enricher} />
    </>
  )
}

interface ActionsProps {
  readonly enricher: Enricher
  readonly started: ReturnType<typeof useRunNow>
}

function Actions({ enricher, started }: ActionsProps) {
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const { id, name, task, is_active } = enricher
  return (
    <>
      <Group gap="sm">
        <ActiveSwitch kind={ENRICHERS} of={enricher} label="Active" />
        {task !== null && <RunNowButton started={started} isActive={is_active} />}
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
