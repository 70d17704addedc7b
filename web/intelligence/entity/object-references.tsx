import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { idOf } from '../../api/lists.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EntityLink } from '../entity-link.tsx'
import { type End, type Reference, referencesQuery, unnamed } from './reference-queries.ts'

interface ObjectReferencesProps {
  readonly entity: string
  readonly field: string
}

/** The objects that a field of an entity refers to, by name and linked to their pages. */
export function ObjectReferences({ entity, field }: ObjectReferencesProps) {
  const list = useInfiniteQuery(referencesQuery(entity, field))
  if (list.error) return <ErrorFaults error={list.error} />
  if (!list.data) return <Skeleton height={60} role="status" aria-label="Loading references" />
  const found = list.data.pages.flatMap(({ data }) => data)
  const total = list.data.pages[0]?.total_count ?? found.length
  return (
    <Stack gap={4}>
      {found.map((each) => (
        <ReferenceRow key={each.id} reference={each} />
      ))}
      {list.hasNextPage && (
        <Group gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load more
          </Button>
          <Text size="xs" c="dimmed">
            {found.length.toLocaleString('en')} of {total.toLocaleString('en')}
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function ReferenceRow({ reference }: { readonly reference: Reference }) {
  const { id, kind, type, title, url, source, target } = reference
  if (kind === 'entity' && url) return <EndLink end={{ url, type: type ?? '', title: title ?? '' }} />
  if (kind === 'relationship' && source && target)
    return (
      <Group gap="xs">
        <EndLink end={source} />
        <Text size="sm" c="dimmed">
          {type || 'related to'}
        </Text>
        <EndLink end={target} />
      </Group>
    )
  if (kind === 'observable' && url)
    return (
      <Group gap="xs">
        <Indicator type={type ?? ''} value={title ?? ''} />
        <Anchor size="xs" renderRoot={(props) => <Link to="/observables/$id" params={{ id: idOf(url) }} {...props} />}>
          Open {type}
        </Anchor>
      </Group>
    )
  if (kind === 'object' && title)
    return (
      <Group gap="xs">
        <PlainText text={title} />
        <Text size="xs" c="dimmed">
          {entityTypeName(type ?? '')}
        </Text>
      </Group>
    )
  return (
    <Text size="sm" c="dimmed" title={id}>
      {unnamed(reference)}
    </Text>
  )
}

const EndLink = ({ end: { url, type, title } }: { readonly end: End }) => (
  <EntityLink id={idOf(url)} type={type} title={title || 'Untitled'} />
)
