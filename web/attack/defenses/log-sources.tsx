import { Button, Group, SegmentedControl, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { counted } from '../analyses/analysis.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { MatrixFilter } from '../matrix-select.tsx'
import { Gains } from './gains.tsx'
import { type Collected, groupsOf, type LogSource, logSourcesQuery, writeLogSources } from './log-source.ts'
import { LogSourceTable } from './log-source-table.tsx'

const VIEWS = [
  { value: '', label: 'All log sources' },
  { value: 'gains', label: 'What to collect next' },
]

const COLLECTED = [
  { value: 'yes', label: 'Collected' },
  { value: 'partly', label: 'Partly collected' },
  { value: 'no', label: 'Not collected' },
]

/** The events that analytics need, and which of them are collected. */
export function LogSources() {
  const canRead = useMay()('read attack')
  const url = useUrlState()
  const view = url.get('view')
  return (
    <>
      <AttackTabs />
      <PageHead
        title="Log sources"
        description="The events that analytics need. Once all log sources of an analytic are collected, it is possible, and the techniques that it detects count as detectable."
      />
      {canRead ? (
        <Stack gap="sm">
          <SegmentedControl
            aria-label="View"
            style={{ alignSelf: 'flex-start' }}
            data={VIEWS}
            value={view}
            onChange={(next) => url.set({ view: next })}
          />
          {view === 'gains' ? <Gains /> : <AllLogSources />}
        </Stack>
      ) : (
        <NoPermission permission="read attack" />
      )}
    </>
  )
}

function AllLogSources() {
  const url = useUrlState()
  const [domain, collected] = [url.get('domain'), url.get('collected') as Collected]
  const list = useQuery(logSourcesQuery(domain))
  const [typed, setTyped] = useState(url.get('q'))
  const wanted = useDeferredValue(typed)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const groups = useMemo(() => groupsOf(list.data ?? [], wanted, collected), [list.data, wanted, collected])
  const chosen = useMemo(() => (list.data ?? []).filter(({ id }) => selected.has(id)), [list.data, selected])
  return (
    <>
      <Group gap="sm">
        <TextInput
          type="search"
          aria-label="Filter log sources"
          placeholder="Filter by name or channel"
          w={{ base: '100%', xs: 260 }}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <MatrixFilter value={domain} onChange={(value) => url.set({ domain: value }, true)} />
        <Select
          aria-label="Collected"
          placeholder="Collected or not"
          data={COLLECTED}
          value={collected || null}
          onChange={(value) => url.set({ collected: value }, true)}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear collected' }}
          w={170}
        />
      </Group>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={320} role="status" aria-label="Loading log sources" />}
      {list.data && (
        <>
          <Group gap="sm" mih={26}>
            {chosen.length === 0 ? (
              <Counts sources={groups.flatMap(({ sources }) => sources)} names={groups.length} />
            ) : (
              <BulkActions chosen={chosen} onDone={() => setSelected(new Set())} />
            )}
          </Group>
          {groups.length === 0 ? (
            <EmptyState title="No matching log sources" />
          ) : (
            <LogSourceTable
              key={`${wanted}\n${domain}\n${collected}`}
              groups={groups}
              isFiltered={wanted.trim() !== ''}
              selected={selected}
              onSelect={setSelected}
            />
          )}
        </>
      )}
    </>
  )
}

function Counts({ sources, names }: { readonly sources: readonly LogSource[]; readonly names: number }) {
  const collected = sources.filter(({ is_collected }) => is_collected).length
  return (
    <Text size="sm" c="dimmed" role="status">
      {counted(names, 'log source', 'log sources')} with {counted(sources.length, 'channel', 'channels')} ·{' '}
      {collected.toLocaleString('en')} collected
    </Text>
  )
}

/** Marks the selected log sources. */
function BulkActions({ chosen, onDone }: { readonly chosen: readonly LogSource[]; readonly onDone: () => void }) {
  const what = counted(chosen.length, 'channel', 'channels')
  const marked = useMutation({
    mutationFn: (is_collected: boolean) => writeLogSources(chosen, { is_collected }),
    onSuccess: (_, isCollected) => {
      showToast(`${what} marked as ${isCollected ? 'collected' : 'not collected'}`)
      onDone()
    },
    onError: showErrorToast,
  })
  return (
    <Group gap={6} role="group" aria-label="Selected log sources">
      <Text size="sm" fw={600} role="status">
        {what} selected
      </Text>
      <Button size="compact-sm" disabled={marked.isPending} onClick={() => marked.mutate(true)}>
        Mark as collected
      </Button>
      <Button size="compact-sm" variant="default" disabled={marked.isPending} onClick={() => marked.mutate(false)}>
        Mark as not collected
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  )
}
