import { Button, CloseButton, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EntityPicker } from '../../intelligence/entity-picker.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { type ConsolidationEvent, EVENTS, eventParameters, METHODS } from './event.ts'
import { EventTable } from './event-table.tsx'

const REFRESH_MS = 15_000

/** The history of consolidation, of one policy or of all, with filters. */
export function EventList({ policy }: { readonly policy?: number }) {
  const url = useUrlState()
  const filters = { method: url.get('method'), entity: url.get('entity'), policy: policy ?? url.get('policy') }
  const list = useInfiniteQuery({
    ...endlessQuery<ConsolidationEvent>(EVENTS, eventParameters(filters)),
    refetchInterval: REFRESH_MS,
  })
  const events = list.data?.pages.flatMap(({ data }) => data)
  const isFiltered = filters.method !== '' || filters.entity !== '' || url.get('policy') !== ''
  return (
    <Stack gap="sm">
      <Filters isOfPolicy={policy !== undefined} />
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading history" />}
      {events?.length === 0 &&
        (isFiltered ? (
          <EmptyState
            title="No matching events"
            action={
              <Button variant="default" onClick={() => url.set({ method: null, entity: null, policy: null })}>
                Clear filters
              </Button>
            }
          />
        ) : (
          <EmptyState title="Nothing consolidated yet">
            Each entity that becomes a contributor of a unified entity is listed here, with the reason.
          </EmptyState>
        ))}
      {events && events.length > 0 && <EventTable events={events} isOfPolicy={policy !== undefined} />}
      <ListEnd list={list} />
    </Stack>
  )
}

function Filters({ isOfPolicy }: { readonly isOfPolicy: boolean }) {
  const url = useUrlState()
  const mayReadRules = useMay()('read rules')
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Method"
        data={[...METHODS]}
        value={url.get('method')}
        onChange={(method) => url.set({ method }, true)}
      />
      {!isOfPolicy && mayReadRules && (
        <NameSelect
          of="consolidation-rules"
          label="Policy"
          isBare
          placeholder="All policies"
          value={url.get('policy')}
          onChange={(policy) => url.set({ policy }, true)}
          w={240}
        />
      )}
      {url.get('entity') === '' ? (
        <EntityPicker label="Only one entity" chosen={[]} onPick={({ id }) => url.set({ entity: id }, true)} />
      ) : (
        <ChosenEntity id={url.get('entity')} onClear={() => url.set({ entity: null }, true)} />
      )}
    </Group>
  )
}

function ChosenEntity({ id, onClear }: { readonly id: string; readonly onClear: () => void }) {
  const entity = useNamedEntities([id])?.get(id)
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Text size="sm" truncate maw={280}>
        {entity ? entityTitle(entity) : 'One entity'}
      </Text>
      <CloseButton size="sm" aria-label="Show all entities" onClick={onClear} />
    </Group>
  )
}
