import { Button, Group, Modal, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '../../api/invalidate.ts'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { enrichersQuery } from '../enrichers/enricher-queries.ts'
import { type EnrichTarget, firstChoice, readForecast, startEnrichment } from './enrich-target.ts'
import { ForecastTable, ForecastTotals } from './forecast-table.tsx'

interface EnrichDialogProps {
  readonly target: EnrichTarget
  /** What is looked up, in words. */
  readonly title: string
  readonly onClose: () => void
  /** Called once the run has ended. */
  readonly onEnded?: (() => void) | undefined
}

/** The permissions that looking observables up requires. */
export const ENRICH_PERMISSIONS = ['modify enrichments', 'read enrichers', 'read entities', 'read extracts'] as const

/** Whether the user may look observables up. */
export function useMayEnrich(): boolean {
  const may = useMay()
  return ENRICH_PERMISSIONS.every(may)
}

/** Chooses enrichers by what a run would take, starts it and follows it. */
export function EnrichDialog({ target, title, onClose, onEnded }: EnrichDialogProps) {
  const enrichers = useQuery(enrichersQuery)
  const active = enrichers.data?.data.filter(({ is_active }) => is_active)
  return (
    <Modal opened onClose={onClose} title={title} size="70rem">
      <LoadFault query={enrichers} />
      {enrichers.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {active?.length === 0 && (
        <EmptyState title="No active enrichers" action={<PageLink to="/enrichers">Set up an enricher</PageLink>}>
          An enricher looks observables up in a service or a table.
        </EmptyState>
      )}
      {active && active.length > 0 && <Choice enrichers={active} target={target} onClose={onClose} onEnded={onEnded} />}
    </Modal>
  )
}

interface ChoiceProps extends Pick<EnrichDialogProps, 'target' | 'onClose' | 'onEnded'> {
  readonly enrichers: readonly Enricher[]
}

function Choice({ enrichers, target, onClose, onEnded }: ChoiceProps) {
  const [isForced, setIsForced] = useState(false)
  const [picked, setPicked] = useState<ReadonlySet<number> | null>(null)
  const ids = enrichers.map(({ id }) => id)
  const forecast = useQuery({
    queryKey: ['enrichers', 'forecast', target, ids, isForced],
    queryFn: ({ signal }) => readForecast(target, ids, isForced, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const offered = forecast.data?.enrichers.filter(({ supported }) => supported > 0) ?? []
  const chosen = picked ?? firstChoice(offered, enrichers)
  const run = useMutation({
    mutationFn: () =>
      startEnrichment(
        target,
        offered.map(({ enricher }) => enricher).filter((id) => chosen.has(id)),
        isForced,
      ),
    onSuccess: () => invalidate('enrichments'),
  })
  if (run.data) return <Followed run={run.data} onClose={onClose} onEnded={onEnded} />
  return (
    <Stack>
      <LoadFault query={forecast} />
      {forecast.isPending && <Skeleton h={200} role="status" aria-label="Calculating forecast" />}
      {forecast.data && offered.length === 0 && (
        <Text c="dimmed" size="sm">
          {forecast.data.observables === 0
            ? 'There are no observables to look up.'
            : 'No active enricher supports the types of these observables.'}
        </Text>
      )}
      {offered.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {observablesText(forecast.data?.observables ?? 0)}. Results that are still valid are reused.
          </Text>
          <ForecastTable
            forecast={offered}
            states={new Map(enrichers.map((enricher) => [enricher.id, enricher]))}
            chosen={chosen}
            onChoose={setPicked}
          />
          <Switch
            label="Look up again, even if a result is still valid"
            checked={isForced}
            onChange={({ currentTarget }) => {
              setIsForced(currentTarget.checked)
              setPicked(null)
            }}
          />
          <ForecastTotals forecast={offered} chosen={chosen} />
          {chosen.size === 0 && (
            <Text size="sm" c="dimmed">
              {offered.every(({ look_ups }) => look_ups === 0)
                ? 'Nothing to look up: every result is still valid, or looking it up is not allowed.'
                : 'Choose the enrichers to ask.'}
            </Text>
          )}
        </>
      )}
      <ErrorFaults error={run.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={run.isPending}
          disabled={!offered.some(({ enricher }) => chosen.has(enricher))}
          onClick={() => run.mutate()}
        >
          Enrich
        </Button>
      </Group>
    </Stack>
  )
}

const observablesText = (count: number): string =>
  count === 1 ? '1 observable' : `${count.toLocaleString('en')} observables`

interface FollowedProps extends Pick<EnrichDialogProps, 'onClose' | 'onEnded'> {
  readonly run: string
}

function Followed({ run, onClose, onEnded }: FollowedProps) {
  const may = useMay()
  return (
    <Stack>
      {may('read tasks') ? (
        <RunProgress
          run={run}
          onEnded={() => {
            void invalidate('enrichments', 'observable-links', 'observables', 'entities', 'enrichers', 'graph')
            onEnded?.()
          }}
        />
      ) : (
        <Text size="sm">The look-ups are in the queue. Their results appear on the pages of the observables.</Text>
      )}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          The run continues when you close this window.
        </Text>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}
