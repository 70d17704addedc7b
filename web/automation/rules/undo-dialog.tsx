import { Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { TimeField } from '../../forms/time-field.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { renewRules } from '../rule-actions.ts'
import { ENTITY_RULES } from '../rule-kind.ts'
import type { EntityRule } from './entity-rule.ts'
import { sinceOf, type UndoForecast, undoInWords } from './undo-words.ts'

/** Which changes of a rule to undo: those of a run, or all since a time. */
export type Undone = { readonly run: string } | { readonly since: string }

interface UndoDialogProps {
  readonly rule: EntityRule
  readonly undone: Undone
  readonly onClose: () => void
}

const DELAY_MS = 400
const DAY_MS = 86_400_000

/** Undoes changes of a rule: first shows what would be undone and kept, then the progress of the run. */
export function UndoDialog({ rule, undone, onClose }: UndoDialogProps) {
  const isRun = 'run' in undone
  const [since, setSince] = useState(() =>
    isRun ? '' : new Date(Date.now() - DAY_MS).toISOString().slice(0, 16).concat('Z'),
  )
  const [settled] = useDebouncedValue(since, DELAY_MS)
  const at = sinceOf(settled)
  const isWrong = settled !== '' && at === undefined
  const data = isRun ? undone : at === undefined ? {} : { since: at }
  const path = `${ENTITY_RULES.path}/${rule.id}/undo`
  const forecast = useQuery({
    queryKey: [path, data],
    queryFn: async ({ signal }) =>
      (await call<{ data: UndoForecast }>('POST', path, { data: { ...data, dry_run: true } }, signal)).data,
    enabled: isRun || !isWrong,
    staleTime: 0,
    retry: false,
  })
  const started = useMutation({
    mutationFn: async () => (await call<{ data: { task_run: string } }>('POST', path, { data })).data.task_run,
  })
  const isReady =
    forecast.data !== undefined && forecast.data.undone > 0 && !isWrong && since === settled && !forecast.isFetching
  return (
    <Modal
      opened
      onClose={onClose}
      title={isRun ? 'Undo this run?' : `Undo changes of “${defangText(rule.name)}”?`}
      size="lg"
    >
      {started.data ? (
        <Stack>
          <RunProgress run={started.data} onEnded={() => void renewRules(ENTITY_RULES)} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text size="sm">
            An undo takes back only what is still as the rule left it. What was changed since, or is also the effect of
            another rule, is kept.
          </Text>
          {!isRun && (
            <TimeField
              label="Undo everything since"
              description="Leave empty to undo everything."
              withAsterisk={false}
              value={since}
              onChange={(text) => setSince(typeof text === 'string' ? text : '')}
              error={isWrong ? 'Enter a time, such as 2026-01-29T07:42Z.' : undefined}
            />
          )}
          <ErrorFaults error={forecast.error ?? started.error} />
          {forecast.isFetching && <Loader size="sm" aria-label="Counting changes" />}
          {forecast.data && !forecast.isFetching && <Forecast forecast={forecast.data} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button color="red" disabled={!isReady} loading={started.isPending} onClick={() => started.mutate()}>
              Undo changes
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

const Forecast = ({ forecast }: { readonly forecast: UndoForecast }) => (
  <Stack gap={4} role="status">
    <Text fw={600}>{undoInWords(forecast)}</Text>
    {forecast.reasons.length > 0 && (
      <List size="sm">
        {forecast.reasons.map(({ reason, count }) => (
          <List.Item key={reason}>
            {count.toLocaleString('en')}: {defangText(reason)}
          </List.Item>
        ))}
      </List>
    )}
  </Stack>
)
