import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Entity } from '../../api/resources.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { DetonateEntities } from './detonate-entities-button.tsx'
import { DetonationTable } from './detonation-list.tsx'
import { detonationsQuery } from './detonation-queries.ts'

const MAX_SHOWN = 50

/** The detonations whose sample came from an entity, and that whose result it is. */
export function DetonationsTab({ entity: { id } }: { readonly entity: Entity }) {
  const from = useQuery(detonationsQuery({ 'filter[origin]': id, limit: MAX_SHOWN }))
  const result = useQuery(detonationsQuery({ 'filter[entities.entity_id]': id, limit: MAX_SHOWN }))
  const all = [...(result.data?.data ?? []), ...(from.data?.data ?? [])]
  const detonations = [...new Map(all.map((each) => [each.id, each])).values()]
  const isPending = from.isPending || result.isPending
  return (
    <Stack>
      <Group justify="flex-end">
        <DetonateEntities title="Detonate the samples of this entity" queries={[`id:${id}`]} label="Detonate samples" />
      </Group>
      <LoadFault query={from} />
      <LoadFault query={result} />
      {isPending && <Skeleton h={120} role="status" aria-label="Loading detonations" />}
      {!isPending && detonations.length === 0 && (
        <Text size="sm" c="dimmed">
          You have not submitted samples of this entity to a sandbox yet. Its attachments and URLs can be detonated.
        </Text>
      )}
      {detonations.length > 0 && <DetonationTable detonations={detonations} />}
    </Stack>
  )
}
