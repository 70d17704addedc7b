import { Button, Group, Paper, Skeleton, Switch, Tabs } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { idOf, oneQuery } from '../api/lists.ts'
import type { IncomingFeed, OutgoingFeed } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { FeedForm } from './feed-form.tsx'
import { type FeedKind, healthQuery } from './feed-queries.ts'
import { FeedState } from './feed-state.tsx'
import { transportName } from './transport-form.ts'
import { useTransports } from './use-transports.ts'

/** A tab on the page of a feed. */
export interface FeedTab<F> {
  readonly name: string
  readonly label: string
  readonly show: (feed: F) => ReactNode
}

interface FeedPageProps<F> {
  readonly kind: FeedKind
  readonly id: string
  readonly tabs: readonly FeedTab<F>[]
}

/** The page of a feed, with its tabs and actions. */
export function FeedPage<F extends IncomingFeed | OutgoingFeed>({ kind, id, tabs }: FeedPageProps<F>) {
  const { transports } = useTransports(kind)
  const may = useMay()
  const url = useUrlState()
  const navigate = useNavigate()
  const path = `${kind}-feeds/${id}`
  const feed = useQuery(oneQuery<F>(path))
  const { data: health } = useQuery(healthQuery())
  const [isEdited, setIsEdited] = useState(false)
  const refresh = () => invalidate(`${kind}-feeds`, 'feeds', 'content-blocks')
  const run = useMutation({
    mutationFn: async () => (await call<{ data: { task_run: string } }>('POST', `${path}/run`)).data.task_run,
    onSuccess: refresh,
  })
  const toggled = useMutation({
    mutationFn: (is_active: boolean) => call('PATCH', path, { data: { is_active } }),
    onSuccess: refresh,
  })
  if (feed.error)
    return (
      <>
        <PageHead title="Feed" />
        <ErrorFaults error={feed.error} />
      </>
    )
  if (!feed.data) return <Skeleton h={300} role="status" aria-label="Loading" />
  const opened: F = feed.data
  const { name, description, is_active, transport_type } = opened
  const canChange = may(`modify ${kind}-feeds`)
  const tab = tabs.find((each) => each.name === url.get('tab')) ?? tabs[0]
  const isPushed = transport_type.endsWith('.push')
  return (
    <>
      <PageHead
        title={name}
        description={[transportName(transports, transport_type), description].filter((text) => text).join(' · ')}
        after={<FeedState health={health?.find((each) => each.type === kind && idOf(each.feed) === id)} />}
        actions={
          canChange && (
            <Group gap="sm">
              <Switch
                label="Active"
                checked={is_active}
                disabled={toggled.isPending}
                onChange={({ currentTarget }) => toggled.mutate(currentTarget.checked)}
              />
              {!isPushed && (
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
              {kind === 'outgoing' && (
                <ConfirmButton
                  label="Restart feed"
                  title={`Restart “${name}” from the beginning?`}
                  confirm="Restart feed"
                  onConfirm={async () => {
                    await call('POST', `${path}/restart`)
                    showToast('Feed restarted. Its next run publishes everything.')
                    await refresh()
                  }}
                >
                  This purges all blocks of the feed, and its next run publishes everything again. Clients that follow
                  the feed start over.
                </ConfirmButton>
              )}
              <ConfirmButton
                label="Delete"
                title={`Delete “${name}”?`}
                confirm="Delete feed"
                onConfirm={async () => {
                  await call('DELETE', path)
                  await navigate({ to: `/${kind}-feeds` })
                  showToast(`Feed “${name}” deleted`)
                  await refresh()
                }}
              >
                {kind === 'incoming'
                  ? 'This also deletes its source. If the feed has imported anything, purge it first.'
                  : 'This also deletes its blocks, and clients can no longer fetch them. It cannot be undone.'}
              </ConfirmButton>
            </Group>
          )
        }
      />
      <ErrorFaults error={run.error ?? toggled.error} />
      {run.data && (
        <Paper withBorder p="md" mb="md">
          <RunProgress key={run.data} run={run.data} onEnded={() => void refresh()} />
        </Paper>
      )}
      <Tabs
        value={tab?.name ?? null}
        onChange={(value) => url.set({ tab: value === tabs[0]?.name ? null : value }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each.name} value={each.name}>
              {each.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((each) => (
          <Tabs.Panel key={each.name} value={each.name}>
            {each.show(opened)}
          </Tabs.Panel>
        ))}
      </Tabs>
      {isEdited && (
        <FeedForm
          kind={kind}
          feed={opened}
          onClose={() => setIsEdited(false)}
          onSaved={() => {
            setIsEdited(false)
            showToast('Changes saved')
            void refresh()
          }}
        />
      )}
    </>
  )
}
