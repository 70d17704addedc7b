import { Button, Group, Select, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endlessQuery, idOf, listQuery } from '../../api/lists.ts'
import type { EntityRuleEffect } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RUN_STATES } from '../../background/run-state.tsx'
import type { ListedRun } from '../../background/run-table.tsx'
import { EFFECTS, effectParameters } from '../../intelligence/entity/rule-effects.ts'
import { utcTime } from '../../ui/clock.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { EffectTable } from './effect-table.tsx'
import type { EntityRule } from './entity-rule.ts'
import { UndoDialog, type Undone } from './undo-dialog.tsx'
import { useMayUndo } from './use-may-undo.ts'

const REFRESH_MS = 15_000

/** What a rule has changed, entity by entity. */
export function EffectsTab({ rule }: { readonly rule: EntityRule }) {
  const canRead = useMay()('read entities')
  const mayUndo = useMayUndo()
  const url = useUrlState()
  const run = url.get('run')
  const [undone, setUndone] = useState<Undone | null>(null)
  const list = useInfiniteQuery({
    ...endlessQuery<EntityRuleEffect>(EFFECTS, effectParameters({ rule: rule.id, run })),
    enabled: canRead,
    refetchInterval: REFRESH_MS,
  })
  if (!canRead) return <NoPermission permission="read entities" />
  const effects = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <RunFilter rule={rule} run={run} onChange={(id) => url.set({ run: id })} />
        {mayUndo && rule.acted_count > 0 && (
          <Button
            variant="default"
            leftSection={<Icon name="history" />}
            onClick={() => setUndone(run === '' ? { since: '' } : { run })}
          >
            {run === '' ? 'Undo changes…' : 'Undo this run…'}
          </Button>
        )}
      </Group>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={160} role="status" aria-label="Loading changes" />}
      {effects?.length === 0 &&
        (run === '' ? (
          <EmptyState title="Nothing changed yet">
            The rule acts on entities as they are stored. Run it now to apply it to existing entities.
          </EmptyState>
        ) : (
          <EmptyState title="This run changed nothing" />
        ))}
      {effects && effects.length > 0 && <EffectTable effects={effects} />}
      <ListEnd list={list} />
      {undone && <UndoDialog rule={rule} undone={undone} onClose={() => setUndone(null)} />}
    </Stack>
  )
}

interface RunFilterProps {
  readonly rule: EntityRule
  readonly run: string
  readonly onChange: (run: string | null) => void
}

const MAX_RUNS = 50

function RunFilter({ rule, run, onChange }: RunFilterProps) {
  const canRead = useMay()('read tasks')
  const runs = useQuery({
    ...listQuery<Pick<ListedRun, 'id' | 'state' | 'created_at'>>('tasks/runs', {
      'filter[task]': rule.task === null ? undefined : idOf(rule.task),
      attributes: 'id,state,created_at',
      sort: '-created_at',
      limit: MAX_RUNS,
    }),
    enabled: canRead && rule.task !== null,
  })
  const known = (runs.data?.data ?? []).map(({ id, state, created_at }) => ({
    value: id,
    label: `Run of ${utcTime(created_at)} (${RUN_STATES[state].label.toLowerCase()})`,
  }))
  const missing = run === '' || known.some(({ value }) => value === run) ? [] : [{ value: run, label: 'This run' }]
  return (
    <Select
      aria-label="Run"
      placeholder="All changes"
      data={[...known, ...missing]}
      value={run || null}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all changes' }}
      w={320}
    />
  )
}
