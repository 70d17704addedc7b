import { ActionIcon, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { endlessQuery, idOf } from '../../api/lists.ts'
import type { Relationship } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { labelOf } from '../../forms/labels.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { type Contributions, type Contributor, contributionsQuery } from '../contributors/contributions.ts'
import { EntityLink } from '../entity-link.tsx'
import { AddRelationship } from './add-relationship.tsx'
import type { TabProps } from './entity.tsx'
import { invalidateEntities, isUnified } from './entity-queries.ts'
import { endsQuery, groupsOf, type OtherEnd, type Seen, seenFrom } from './relationship-queries.ts'

/** The relationships of an entity in both directions. */
export function RelationshipsTab({ entity }: TabProps) {
  const may = useMay()
  const [isAdding, setIsAdding] = useState(false)
  const isOne = isUnified(entity)
  const contributions = useQuery({ ...contributionsQuery(entity.id), enabled: isOne })
  const vias = viasOf(contributions.data)
  // Relationships stay with the contributors of a unified entity.
  const own = vias.size > 0 ? [...vias.keys()] : [entity.id]
  const list = useInfiniteQuery({
    ...endlessQuery<Relationship>('relationships', { 'filter[entities]': own, limit: 200 }),
    enabled: !isOne || contributions.data !== undefined,
  })
  const seen = seenFrom(new Set(own), list.data?.pages.flatMap(({ data }) => data) ?? [])
  const ends = useQuery(endsQuery([...new Set(seen.map(({ otherId }) => otherId))]))
  const add = may('modify entities') && !isOne && <Button onClick={() => setIsAdding(true)}>Add relationship</Button>
  return (
    <Stack>
      <ErrorFaults error={contributions.error ?? list.error ?? ends.error} />
      {list.isPending && <Skeleton height={200} />}
      {list.data && seen.length === 0 && (
        <EmptyState title="No relationships yet" action={add}>
          {isOne
            ? 'Relationships of its contributors appear here.'
            : 'Describe how this entity relates to others: who uses it, whom it targets, what it indicates.'}
        </EmptyState>
      )}
      {seen.length > 0 && (
        <>
          <Group justify="flex-end">{add}</Group>
          {groupsOf(seen).map(({ isOut, key, members }) => (
            <RelationshipGroup
              key={`${isOut} ${key}`}
              isOut={isOut}
              name={key}
              members={members}
              ends={ends.data}
              vias={vias}
            />
          ))}
          <ListEnd list={list} />
        </>
      )}
      <AddRelationship entity={entity} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Stack>
  )
}

interface RelationshipGroupProps {
  readonly isOut: boolean
  readonly name: string
  readonly members: readonly Seen[]
  readonly ends: ReadonlyMap<string, OtherEnd> | undefined
  /** The contributors that the relationships belong to, if they are those of a unified entity. */
  readonly vias: ReadonlyMap<string, Contributor>
}

function RelationshipGroup({ isOut, name, members, ends, vias }: RelationshipGroupProps) {
  const label = name === '' ? 'Related' : labelOf(name)
  return (
    <section aria-label={isOut ? label : `${label} this`}>
      <Title order={2} size="h6" mb={4}>
        {isOut ? label : `${label} this`}{' '}
        <Text span inherit c="dimmed" fw={400}>
          {members.length}
        </Text>
      </Title>
      <Paper withBorder>
        {members.map((member) => (
          <Group key={member.relationship.id} px="sm" py={6} gap="sm" justify="space-between" wrap="nowrap">
            <Stack gap={2} miw={0}>
              <Other end={ends?.get(member.otherId)} id={member.otherId} isKnown={ends !== undefined} />
              {member.relationship.data.description && (
                <Text size="xs" c="dimmed">
                  <PlainText text={member.relationship.data.description} />
                </Text>
              )}
            </Stack>
            {vias.size > 0 ? (
              <Via contributor={vias.get(member.ownId)} />
            ) : (
              <RemoveRelationship seen={member} title={ends?.get(member.otherId)?.title ?? 'unknown entity'} />
            )}
          </Group>
        ))}
      </Paper>
    </section>
  )
}

/** The contributors of a unified entity by id. */
const viasOf = (contributions: Contributions | undefined): ReadonlyMap<string, Contributor> =>
  new Map((contributions?.contributors ?? []).map((each) => [idOf(each.entity), each]))

function Via({ contributor }: { readonly contributor: Contributor | undefined }) {
  if (!contributor) return null
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      via{' '}
      <PageLink
        size="xs"
        to={`/entities/${idOf(contributor.entity)}`}
        aria-label={`Via contributor ${contributor.title} of ${contributor.source_name}`}
      >
        {contributor.source_name}
      </PageLink>
    </Text>
  )
}

function Other({
  end,
  id,
  isKnown,
}: {
  readonly end: OtherEnd | undefined
  readonly id: string
  readonly isKnown: boolean
}) {
  if (end) return <EntityLink {...end} />
  if (!isKnown) return <Skeleton height={18} width={240} />
  return (
    <Text size="sm" c="dimmed" title={id}>
      Not visible or unknown
    </Text>
  )
}

function RemoveRelationship({ seen: { relationship }, title }: { readonly seen: Seen; readonly title: string }) {
  const may = useMay()
  const removed = useMutation({
    mutationFn: () => call('DELETE', `relationships/${relationship.id}`),
    onSuccess: async () => {
      await invalidateEntities()
      showToast(`Relationship with “${title}” removed`, () => restore(relationship))
    },
    onError: showErrorToast,
  })
  if (!may('modify entities')) return null
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={`Remove relationship with ${title}`}
      loading={removed.isPending}
      onClick={() => removed.mutate()}
    >
      ✕
    </ActionIcon>
  )
}

/** Restores a removed relationship with its id and all attributes. */
async function restore({ id, data, meta, sources }: Relationship): Promise<void> {
  await call('POST', 'relationships', { data: { id, data, meta, sources } })
  await invalidateEntities()
}
