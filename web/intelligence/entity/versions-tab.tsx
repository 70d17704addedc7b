import { Accordion, Group, Skeleton, Stack, Text } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { labelOf } from '../../forms/labels.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { DifferenceView } from './difference-view.tsx'
import { differences } from './differences.ts'
import type { TabProps } from './entity.tsx'

type StoredVersion = Pick<Entity, 'data' | 'meta' | 'sources' | 'last_updated_at'> & { readonly version: number }

/** The number of versions per page. */
const PAGE_SIZE = 50

/** Versions are numbered from the latest, so paging needs no cursor. */
const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [`entities/${id}/versions`, 'endless'],
    queryFn: ({ pageParam: offset, signal }) =>
      call<Page<StoredVersion>>(
        'GET',
        `entities/${id}/versions${searchOf({ limit: PAGE_SIZE, offset })}`,
        undefined,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ offset, count, total_count }) => (offset + count < total_count ? offset + count : undefined),
  })

/** The versions of an entity, with the changes between them. */
export function VersionsTab({ entity }: TabProps) {
  const list = useInfiniteQuery(versionsQuery(entity.id))
  if (list.error) return <ErrorFaults error={list.error} />
  if (!list.data) return <Skeleton height={200} />
  const stored = list.data.pages.flatMap(({ data }) => data)
  const total = list.data.pages[0]?.total_count ?? 0
  if (stored.length === 0)
    return (
      <EmptyState title="No older versions">
        Each change keeps the previous version. The differences are shown here.
      </EmptyState>
    )
  const now: StoredVersion = { ...entity, version: (stored[0]?.version ?? 0) + 1 }
  const steps = stored.map((before, i) => ({ before, after: stored[i - 1] ?? now }))
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {total === 1 ? '1 older version' : `${total} older versions`}, latest change first.
      </Text>
      <Accordion multiple defaultValue={steps[0] ? [String(steps[0].after.version)] : []} variant="separated">
        {steps.map(({ before, after }) => (
          <Change key={after.version} before={before} after={after} isLatest={after === now} />
        ))}
      </Accordion>
      <ListEnd list={list} />
    </Stack>
  )
}

interface ChangeProps {
  readonly before: StoredVersion
  readonly after: StoredVersion
  readonly isLatest: boolean
}

function Change({ before, after, isLatest }: ChangeProps) {
  const found = differences(before, after)
  const names = [
    ...new Set(found.map(({ path }) => labelOf(path.replace(/^(?:data|meta)\./, '').replace(/[.[].*/, '')))),
  ]
  return (
    <Accordion.Item value={String(after.version)}>
      <Accordion.Control>
        <Group gap="sm">
          <Text fw={500}>
            Version {after.version}
            {isLatest ? ' (now)' : ''}
          </Text>
          <Text size="sm" c="dimmed">
            <Moment at={after.last_updated_at} />
          </Text>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {names.join(', ') || 'Links only'}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <DifferenceView differences={found} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}
