import { Autocomplete, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { strictKeys } from '../../../server/domain/stix-relationships.ts'
import { CallError, call } from '../../api/call.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { TabProps } from './entity.tsx'
import { EntityField, type PickedEntity } from './entity-field.tsx'
import { invalidateEntities } from './entity-queries.ts'

interface AddRelationshipProps extends TabProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Adds a relationship from or to an entity. */
export function AddRelationship({ entity, isOpen, onClose }: AddRelationshipProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Add relationship for “${entityTitle(entity)}”`} size="lg">
      <RelationshipForm entity={entity} onClose={onClose} />
    </Modal>
  )
}

function RelationshipForm({ entity, onClose }: Omit<AddRelationshipProps, 'isOpen'>) {
  const [other, setOther] = useState<PickedEntity | null>(null)
  const [isOut, setIsOut] = useState(true)
  const [key, setKey] = useState('')
  const [description, setDescription] = useState('')
  const made = useMutation({
    mutationFn: () => {
      if (!other) throw new CallError(400, [{ status: 400, title: 'Bad Request', detail: 'other: select an entity' }])
      const [source, target] = isOut ? [entity.id, other.id] : [other.id, entity.id]
      const said = { source, target, ...(key !== '' && { key }), ...(description !== '' && { description }) }
      return call('POST', 'relationships', { data: { data: said, sources: entity.sources } })
    },
    onSuccess: async () => {
      await invalidateEntities()
      showToast('Relationship added')
      onClose()
    },
  })
  const faults = sortFaults(made.error, ['other', 'data.key', 'data.description'])
  const [from, to] = isOut ? [entity.data.type, other?.type ?? ''] : [other?.type ?? '', entity.data.type]
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!made.isPending) made.mutate()
      }}
    >
      <Stack>
        <Faults texts={faults.others} />
        <EntityField
          label="Related entity"
          value={other}
          onChange={setOther}
          except={entity.id}
          error={faults.fields.other}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="direction">
            Direction
          </Text>
          <SegmentedControl
            aria-labelledby="direction"
            value={isOut ? 'out' : 'in'}
            onChange={(way) => setIsOut(way === 'out')}
            data={[
              { value: 'out', label: 'From this entity' },
              { value: 'in', label: 'To this entity' },
            ]}
          />
        </div>
        <Autocomplete
          openOnFocus={false}
          label="Relationship type"
          description="Lower-case words with hyphens. Suggestions are the STIX 2.1 types for these two entities."
          placeholder="related-to"
          data={strictKeys(from, to)}
          value={key}
          onChange={setKey}
          error={faults.fields['data.key']}
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={faults.fields['data.description']}
        />
        <FormActions submit="Add relationship" isSending={made.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
