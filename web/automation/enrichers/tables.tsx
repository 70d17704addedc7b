import { Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { listQuery } from '../../api/lists.ts'
import type { EnricherTable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { startRun } from '../../background/run-queries.ts'
import { RunStateBadge } from '../../background/run-state.tsx'
import { sizeOf } from '../../feeds/durations.ts'
import { scheduleInWords } from '../../forms/schedule.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { loadTable } from './load-table.ts'
import { EnricherSection } from './section.tsx'
import { TableForm } from './table-form.tsx'
import { FORMATS } from './table-form-values.ts'

const refresh = () => invalidate('enricher-tables', 'enrichers')

/** Tables that observables are looked up in without calling a service. */
export function EnricherTables() {
  const may = useMay()
  const canRead = may('read enrichers')
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create table', 'modify enrichers')
  const [edited, setEdited] = useState<EnricherTable | null>(null)
  const list = useQuery({
    ...listQuery<EnricherTable>('enricher-tables', { sort: 'name', limit: 500 }),
    enabled: canRead,
  })
  const close = () => {
    setEdited(null)
    setIsCreating(false)
  }
  return (
    <EnricherSection
      path="/enrichers/tables"
      one="table"
      list={list}
      onCreate={mayCreate && (() => setIsCreating(true))}
      purpose="Upload a file, such as the addresses of your offices or a GeoIP database. Enrichers look up observables in it, and nothing leaves the platform."
      table={(tables) => (
        <TableFrame minWidth={960}>
          <Table aria-label="Tables">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Format</Table.Th>
                <Table.Th>Key column</Table.Th>
                <Table.Th ta="end">Rows</Table.Th>
                <Table.Th ta="end">Size</Table.Th>
                <Table.Th>Content loaded</Table.Th>
                <Table.Th>Refresh</Table.Th>
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
    >
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
      <Table.Td>{FORMATS.find(({ value }) => value === format)?.name}</Table.Td>
      <Table.Td className="code">{key_column || '–'}</Table.Td>
      <Table.Td ta="end">{format === 'mmdb' ? '–' : rows.toLocaleString('en')}</Table.Td>
      <Table.Td ta="end">{sizeOf(size)}</Table.Td>
      <Table.Td>
        <Moment at={loaded_at} otherwise="No content yet" />
      </Table.Td>
      <Table.Td>
        {table.url === null ? 'By upload' : scheduleInWords(table.execution_schedule)}
        {table.status !== null && (
          <div>
            <RunStateBadge state={table.status} />
          </div>
        )}
      </Table.Td>
      <Table.Td>
        {may('modify enrichers') && (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            {table.url !== null && <LoadNow table={table} />}
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

/** Loads the content of a table from its address. */
function LoadNow({ table: { name, task } }: { readonly table: EnricherTable }) {
  const may = useMay()
  const navigate = useNavigate()
  const started = useMutation({
    mutationFn: () => startRun(task ?? ''),
    onSuccess: (run) => navigate({ to: '/runs/$id', params: { id: run } }),
    onError: showErrorToast,
  })
  if (task === null || !may('modify tasks')) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={started.isPending}
      aria-label={`Load ${name} now`}
      onClick={() => started.mutate()}
    >
      Load now
    </Button>
  )
}

function UploadButton({ table: { id, name, loaded_at, url } }: { readonly table: EnricherTable }) {
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
          variant={loaded_at === null && url === null ? 'filled' : 'default'}
          loading={loaded.isPending}
          aria-label={`Upload content of ${name}`}
        >
          {loaded_at === null ? 'Upload content' : 'Replace content'}
        </Button>
      )}
    </FileButton>
  )
}
