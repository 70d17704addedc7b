import { Button, FileButton, Group, Modal, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { listQuery } from '../../api/lists.ts'
import type { EnricherTable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { sizeOf } from '../../feeds/durations.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { RetryFaults } from '../../ui/retry-faults.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { loadTable } from './load-table.ts'
import { EnricherSection } from './section.tsx'

const refresh = () => invalidate('enricher-tables', 'enrichers')

const FORMATS = [
  { value: 'csv', label: 'CSV with a header row' },
  { value: 'json', label: 'JSON list of objects' },
  { value: 'list', label: 'List, one value per line' },
  { value: 'mmdb', label: 'MaxMind database (mmdb)' },
]

/** Tables that observables are looked up in without calling a service. */
export function EnricherTables() {
  const may = useMay()
  const canRead = may('read enrichers')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('New table', 'modify enrichers')
  const [edited, setEdited] = useState<EnricherTable | null>(null)
  const list = useQuery({
    ...listQuery<EnricherTable>('enricher-tables', { sort: 'name', limit: 500 }),
    enabled: canRead,
  })
  const tables = list.data?.data
  const create = mayCreate && <Button onClick={() => setIsCreating(true)}>New table</Button>
  const close = () => {
    setEdited(null)
    setIsCreating(false)
  }
  return (
    <EnricherSection path="/enricher-tables" actions={create}>
      {!canRead && <NoPermission permission="read enrichers" />}
      <RetryFaults query={list} />
      {canRead && list.isPending && <Skeleton h={160} role="status" aria-label="Loading" />}
      {tables?.length === 0 && (
        <EmptyState title="No tables yet" action={create}>
          Upload a file, such as the addresses of your offices or a GeoIP database. Enrichers look observables up in it,
          and nothing leaves the platform.
        </EmptyState>
      )}
      {tables && tables.length > 0 && (
        <TableFrame minWidth={780}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Format</Table.Th>
                <Table.Th>Key column</Table.Th>
                <Table.Th ta="end">Rows</Table.Th>
                <Table.Th ta="end">Size</Table.Th>
                <Table.Th>Content loaded</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tables.map((table) => (
                <TableRow key={table.id} table={table} onEdit={() => setEdited(table)} />
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
      {(isCreating || edited) && <TableForm table={edited} onClose={close} />}
    </EnricherSection>
  )
}

function TableRow({ table, onEdit }: { readonly table: EnricherTable; readonly onEdit: () => void }) {
  const may = useMay()
  const { id, name, description, format, key_column, rows, size, loaded_at } = table
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td>{format}</Table.Td>
      <Table.Td className="code">{key_column || '–'}</Table.Td>
      <Table.Td ta="end">{format === 'mmdb' ? '–' : rows.toLocaleString('en')}</Table.Td>
      <Table.Td ta="end">{sizeOf(size)}</Table.Td>
      <Table.Td>
        <Moment at={loaded_at} otherwise="No content yet" />
      </Table.Td>
      <Table.Td>
        {may('modify enrichers') && (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <UploadButton table={table} />
            <Button size="compact-sm" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            <ConfirmButton
              label="Delete"
              title={`Delete “${name}”?`}
              confirm="Delete table"
              button={{ size: 'compact-sm', 'aria-label': `Delete ${name}` }}
              onConfirm={async () => {
                await call('DELETE', `enricher-tables/${id}`)
                showToast(`Table “${name}” deleted`)
                await refresh()
              }}
            >
              Enrichers that use this table skip all look-ups until there is a table with this name again.
            </ConfirmButton>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function UploadButton({ table: { id, name, loaded_at } }: { readonly table: EnricherTable }) {
  const loaded = useMutation({
    mutationFn: (file: File) => loadTable(id, file),
    onSuccess: async ({ rows, format }) => {
      showToast(format === 'mmdb' ? `“${name}” loaded` : `“${name}” loaded: ${rows.toLocaleString('en')} rows`)
      await refresh()
    },
    onError: showErrorToast,
  })
  return (
    <FileButton onChange={(file) => file && loaded.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          size="compact-sm"
          variant={loaded_at === null ? 'filled' : 'default'}
          loading={loaded.isPending}
          aria-label={`Upload content of ${name}`}
        >
          {loaded_at === null ? 'Upload content' : 'Replace content'}
        </Button>
      )}
    </FileButton>
  )
}

interface TableFormProps {
  /** The table to edit; null for a new one. */
  readonly table: EnricherTable | null
  readonly onClose: () => void
}

function TableForm({ table, onClose }: TableFormProps) {
  const [name, setName] = useState(table?.name ?? '')
  const [description, setDescription] = useState(table?.description ?? '')
  const [format, setFormat] = useState<string>(table?.format ?? 'csv')
  const [column, setColumn] = useState(table?.key_column ?? '')
  const hasColumn = format === 'csv' || format === 'json'
  const saved = useMutation({
    mutationFn: () => {
      const data = { name: name.trim(), description, format, key_column: hasColumn ? column.trim() : '' }
      return table ? call('PATCH', `enricher-tables/${table.id}`, { data }) : call('POST', 'enricher-tables', { data })
    },
    onSuccess: async () => {
      onClose()
      showToast(table ? 'Changes saved' : `Table “${name.trim()}” created. Upload its content next.`)
      await refresh()
    },
  })
  const { fields, others } = sortFaults(saved.error, ['name', 'description', 'format', 'key_column'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={table ? `Table ${table.name}` : 'New table'}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Faults texts={others} />
          <TextInput
            label="Name"
            description="Lower-case letters, digits, hyphens and underscores."
            required
            data-autofocus
            value={name}
            error={fields.name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Select
            label="Format"
            data={FORMATS}
            allowDeselect={false}
            value={format}
            error={fields.format}
            onChange={(value) => setFormat(value ?? format)}
          />
          {hasColumn && (
            <TextInput
              label="Key column"
              description="The column or property that is compared with the observable, without regard to case."
              classNames={{ input: 'code' }}
              value={column}
              error={fields.key_column}
              onChange={({ currentTarget }) => setColumn(currentTarget.value)}
            />
          )}
          <TextInput
            label="Description"
            value={description}
            error={fields.description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <FormActions
            submit={table ? 'Save changes' : 'Create table'}
            isSending={saved.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
