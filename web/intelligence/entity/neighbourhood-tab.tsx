import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { entityTypeName } from '../../domain/entity-types.ts'
import { labelOf } from '../../forms/labels.ts'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { inSentence } from '../../ui/in-sentence.ts'
import { Indicator } from '../../ui/indicator.tsx'
import { EntityLink } from '../entity-link.tsx'
import type { TabProps } from './entity.tsx'
import { isUnified } from './entity-queries.ts'
import { groupQuery, type NeighbourGroup, neighbourhoodQuery, type ObservableGroup } from './neighbourhood-queries.ts'
import { ShowInGraph } from './show-in-graph.tsx'

/** Related entities and shared observables, grouped by relationship. */
export function NeighbourhoodTab({ entity }: TabProps) {
  const { id } = entity
  const { data, error } = useQuery(neighbourhoodQuery(id))
  if (error) return <ErrorFaults error={error} />
  if (!data) return <Skeleton height={240} />
  const { neighbours, observables } = data
  if (neighbours.length + (observables?.length ?? 0) === 0)
    return (
      <EmptyState title="No neighbours yet">
        Related entities, and entities that share observables with this one, appear here.
      </EmptyState>
    )
  return (
    <Stack>
      <Group justify="flex-end">
        <ShowInGraph id={id} isCollapsed={isUnified(entity)} />
      </Group>
      {neighbours.map((group) => (
        <Neighbours key={group.group} id={id} group={group} />
      ))}
      {observables?.map((group) => (
        <Observables key={group.group} id={id} group={group} />
      ))}
    </Stack>
  )
}

function Neighbours({ id, group }: { readonly id: string; readonly group: NeighbourGroup }) {
  const more = useMore(id, group)
  const members = [...group.entities, ...more.pages.flatMap(({ neighbours }) => neighbours[0]?.entities ?? [])]
  const key = group.key === '' ? 'Related' : labelOf(group.key)
  const way = group.direction === 'out' ? key : `${key} this`
  return (
    <Section title={`${way}: ${inSentence(entityTypeName(group.entity_type))}`} count={group.count} more={more}>
      {members.map((entity) => (
        <EntityLink key={entity.id} {...entity} tlp={entity.tlp_color} />
      ))}
    </Section>
  )
}

function Observables({ id, group }: { readonly id: string; readonly group: ObservableGroup }) {
  const more = useMore(id, group)
  const members = [
    ...group.observables,
    ...more.pages.flatMap(({ observables }) => observables?.[0]?.observables ?? []),
  ]
  return (
    <Section title={`Observables: ${group.type}`} count={group.count} more={more}>
      {members.map((observable) => (
        <Group key={observable.id} gap="sm">
          <Text size="sm" component="span">
            <Indicator type={observable.type} value={observable.value} />
          </Text>
          <MaliciousnessBadge maliciousness={observable.maliciousness} />
          <Anchor
            size="sm"
            aria-label={`${elsewhere(observable.entities_count)}: ${observable.display_value}`}
            renderRoot={(props) => <Link to="/observables/$id" params={{ id: String(observable.id) }} {...props} />}
          >
            {elsewhere(observable.entities_count)}
          </Anchor>
        </Group>
      ))}
    </Section>
  )
}

const elsewhere = (count: number): string => {
  if (count === 0) return 'Not in other entities'
  return count === 1 ? 'In 1 other entity' : `In ${count.toLocaleString('en')} other entities`
}

function useMore(id: string, group: NeighbourGroup | ObservableGroup) {
  const [isOpen, setIsOpen] = useState(false)
  const list = useInfiniteQuery({ ...groupQuery(id, group), enabled: isOpen })
  return {
    pages: list.data?.pages ?? [],
    error: list.error,
    isLoading: list.isFetching,
    hasMore: isOpen ? list.hasNextPage || list.isPending : group.next_offset !== null,
    onMore: () => (isOpen ? void list.fetchNextPage() : setIsOpen(true)),
  }
}

interface SectionProps {
  readonly title: string
  readonly count: number
  readonly more: Pick<ReturnType<typeof useMore>, 'error' | 'isLoading' | 'hasMore' | 'onMore'>
  readonly children: ReactNode
}

const Section = ({ title, count, more, children }: SectionProps) => (
  <section aria-label={title}>
    <Title order={2} size="h6" mb={4}>
      {title}{' '}
      <Text span inherit c="dimmed" fw={400}>
        {count.toLocaleString('en')}
      </Text>
    </Title>
    <Paper withBorder px="sm" py={6}>
      <Stack gap={6}>
        {children}
        <ErrorFaults error={more.error} />
        {more.hasMore && (
          <div>
            <Button size="compact-sm" variant="subtle" loading={more.isLoading} onClick={more.onMore}>
              Load more
            </Button>
          </div>
        )}
      </Stack>
    </Paper>
  </section>
)
