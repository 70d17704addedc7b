import { Button, CloseButton, Group, Modal, Paper, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '../../api/invalidate.ts'
import { idOf, oneQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EntityPicker } from '../../intelligence/entity-picker.tsx'
import { EntityName, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { Detonation } from './detonation-queries.ts'
import { acceptExtracts, type Extract } from './extracts.ts'

interface AcceptDialogProps {
  readonly detonation: Detonation
  readonly extracts: readonly Extract[]
  readonly onClose: () => void
  readonly onAccepted: () => void
}

type Place = 'origin' | 'entity' | 'none'

/** Accepts extracted observables into the source of the user's group, alone or for an entity. */
export function AcceptDialog({ detonation, extracts, onClose, onAccepted }: AcceptDialogProps) {
  const may = useMay()
  const mayLink = may('modify entities') && may('read entities')
  const origin = mayLink ? detonation.origin : null
  const [place, setPlace] = useState<Place>(origin ? 'origin' : mayLink ? 'entity' : 'none')
  const [picked, setPicked] = useState<NamedEntity>()
  const target = place === 'origin' ? origin && idOf(origin) : place === 'entity' ? picked?.id : null
  const accepted = useMutation({
    mutationFn: () => acceptExtracts(detonation.id, extracts, target ?? null),
    onSuccess: async () => {
      onAccepted()
      await invalidate('observables', 'entities', 'detonations')
    },
  })
  const count = extracts.length === 1 ? '1 observable' : `${extracts.length.toLocaleString('en')} observables`
  if (accepted.data)
    return (
      <Modal opened onClose={onClose} title="Observables accepted">
        <Accepted observables={accepted.data.observables} entity={accepted.data.entity} onClose={onClose} />
      </Modal>
    )
  return (
    <Modal opened onClose={onClose} title={`Accept ${count}`} size="lg">
      <Stack>
        <Text size="sm">
          Accepted observables belong to the source of your group. Their maliciousness follows the classification and
          the confidence of the report.
        </Text>
        <Radio.Group label="Add to" value={place} onChange={(value) => setPlace(value as Place)}>
          <Stack gap="xs" mt="xs">
            {origin && <Radio value="origin" label={<Origin url={origin} />} />}
            {mayLink && <Radio value="entity" label={origin ? 'Another entity' : 'An entity'} />}
            <Radio value="none" label="No entity: observables alone" />
          </Stack>
        </Radio.Group>
        {place === 'entity' &&
          (picked ? (
            <Paper withBorder p="xs">
              <Group justify="space-between" wrap="nowrap">
                <EntityName entity={picked} />
                <CloseButton aria-label="Choose another entity" onClick={() => setPicked(undefined)} />
              </Group>
            </Paper>
          ) : (
            <EntityPicker label="Search for an entity" chosen={[]} onPick={setPicked} />
          ))}
        <ErrorFaults error={accepted.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={accepted.isPending}
            disabled={place === 'entity' && !picked}
            onClick={() => accepted.mutate()}
          >
            Accept {count}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Origin({ url }: { readonly url: string }) {
  const { data } = useQuery(oneQuery<NamedEntity>(`entities/${idOf(url)}`))
  if (!data) return <Skeleton h={16} w={180} />
  return (
    <>
      {entityTitle(data)}{' '}
      <Text component="span" size="xs" c="dimmed">
        where the sample came from
      </Text>
    </>
  )
}

interface AcceptedProps {
  readonly observables: readonly string[]
  readonly entity: string | null
  readonly onClose: () => void
}

const Accepted = ({ observables, entity, onClose }: AcceptedProps) => (
  <Stack>
    <Text size="sm" role="status">
      {observables.length === 1
        ? '1 observable was accepted.'
        : `${observables.length.toLocaleString('en')} observables were accepted.`}{' '}
      {entity !== null && (
        <PageLink to={`/entities/${idOf(entity)}`} search={{ tab: 'observables' }}>
          Show them on the entity
        </PageLink>
      )}
    </Text>
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </Group>
  </Stack>
)
