import { Button, Modal, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { listQuery } from '../../api/lists.ts'
import type { EnricherDefinition } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { NEW_DEFINITION, readDefinition } from './definition-text.ts'
import { EnricherSection } from './section.tsx'

const refresh = () => invalidate('enricher-definitions', 'enrichers')

/** Definitions of services in JSON, which become functions of enrichers. */
export function EnricherDefinitions() {
  const may = useMay()
  const canRead = may('read enrichers')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create definition', 'modify enrichers')
  const [edited, setEdited] = useState<EnricherDefinition | null>(null)
  const list = useQuery({
    ...listQuery<EnricherDefinition>('enricher-definitions', { sort: 'name', limit: 500 }),
    enabled: canRead,
  })
  const close = () => {
    setEdited(null)
    setIsCreating(false)
  }
  return (
    <EnricherSection
      path="/enrichers/definitions"
      one="definition"
      list={list}
      onCreate={mayCreate && (() => setIsCreating(true))}
      purpose="A definition describes a web service in JSON: its requests by observable type, and where the verdict and the findings are in its answers. It then appears among the functions of new enrichers."
      table={(definitions) => (
        <TableFrame minWidth={640}>
          <Table aria-label="Definitions">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Function</Table.Th>
                <Table.Th>Last updated</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {definitions.map((definition) => (
                <DefinitionRow key={definition.id} definition={definition} onEdit={() => setEdited(definition)} />
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
    >
      {(isCreating || edited) && <DefinitionForm definition={edited} onClose={close} />}
    </EnricherSection>
  )
}

interface DefinitionRowProps {
  readonly definition: EnricherDefinition
  readonly onEdit: () => void
}

function DefinitionRow({ definition, onEdit }: DefinitionRowProps) {
  const may = useMay()
  const { id, name, description, last_updated_at } = definition
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td className="code">{definition.function}</Table.Td>
      <Table.Td>
        <Moment at={last_updated_at} />
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
        <Button size="compact-sm" variant="default" mr="xs" aria-label={`Open ${name}`} onClick={onEdit}>
          {may('modify enrichers') ? 'Edit' : 'View'}
        </Button>
        {may('modify enrichers') && (
          <ConfirmButton
            label="Delete"
            title={`Delete “${name}”?`}
            confirm="Delete definition"
            button={{ size: 'compact-sm', 'aria-label': `Delete ${name}` }}
            onConfirm={async () => {
              await call('DELETE', `enricher-definitions/${id}`)
              showToast(`Definition “${name}” deleted`)
              await refresh()
            }}
          >
            A definition that an enricher uses cannot be deleted.
          </ConfirmButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

interface DefinitionFormProps {
  /** The definition to edit; null for a new one. */
  readonly definition: EnricherDefinition | null
  readonly onClose: () => void
}

function DefinitionForm({ definition, onClose }: DefinitionFormProps) {
  const may = useMay()
  const canChange = may('modify enrichers')
  const [name, setName] = useState(definition?.name ?? '')
  const [description, setDescription] = useState(definition?.description ?? '')
  const [text, setText] = useState(() => JSON.stringify(definition?.definition ?? NEW_DEFINITION, null, 2))
  const read = readDefinition(text)
  const saved = useMutation({
    mutationFn: async () => {
      if ('fault' in read) return undefined
      const data = { name: name.trim(), description, definition: read.value }
      if (!definition) return call('POST', 'enricher-definitions', { data })
      if (definition.name !== data.name)
        await call('PATCH', `enricher-definitions/${definition.id}`, { data: { name: data.name } })
      // A patch would merge the definition into the stored one.
      return call('PUT', 'enricher-definitions', { data: [data] })
    },
    onSuccess: async () => {
      onClose()
      showToast(definition ? 'Changes saved' : `Definition “${name.trim()}” created. New enrichers can use it.`)
      await refresh()
    },
  })
  const { fields, others } = sortFaults(saved.error, ['name', 'description'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!('fault' in read)) saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={definition ? `Definition ${definition.name}` : 'New definition'}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Name"
            description="Lower-case letters, digits, hyphens and underscores. Enrichers use it as http: and this name."
            required
            data-autofocus
            readOnly={!canChange}
            value={name}
            error={fields.name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label="Description"
            readOnly={!canChange}
            value={description}
            error={fields.description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <Textarea
            label="Definition"
            description="JSON. The format is described in docs/enricher-definitions.md of this installation."
            classNames={{ input: 'code' }}
            autosize
            minRows={12}
            maxRows={26}
            spellCheck={false}
            readOnly={!canChange}
            value={text}
            error={'fault' in read ? read.fault : others.length > 0 ? 'The definition is not valid.' : undefined}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Faults texts={others} />
          {canChange && (
            <FormActions
              submit={definition ? 'Save changes' : 'Create definition'}
              isSending={saved.isPending}
              isReady={!('fault' in read)}
              onCancel={onClose}
            />
          )}
        </Stack>
      </form>
    </Modal>
  )
}
