import { Modal, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import type { EnricherTable } from '../../api/resources.ts'
import { ScheduleFields } from '../../forms/schedule-fields.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { showToast } from '../../ui/toasts.tsx'
import {
  bodyOf,
  FAULT_NAMES,
  FORMATS,
  formOf,
  hasColumns,
  NEW_TABLE,
  type TableFormValues,
} from './table-form-values.ts'

interface TableFormProps {
  /** The table to edit; null for a new one. */
  readonly table: EnricherTable | null
  readonly onClose: () => void
}

/** Creates or changes a table. Its content is uploaded, or loaded from an address. */
export function TableForm({ table, onClose }: TableFormProps) {
  const [values, setValues] = useState(() => (table ? formOf(table) : NEW_TABLE))
  const set = (change: Partial<TableFormValues>) => setValues((before) => ({ ...before, ...change }))
  const saved = useMutation({
    mutationFn: () => {
      const data = bodyOf(values)
      return table ? call('PATCH', `enricher-tables/${table.id}`, { data }) : call('POST', 'enricher-tables', { data })
    },
    onSuccess: async () => {
      onClose()
      const next = values.url.trim() === '' ? ' Upload its content next.' : ''
      showToast(table ? 'Changes saved' : `Table “${values.name.trim()}” created.${next}`)
      await invalidate('enricher-tables', 'enrichers')
    },
  })
  const { fields: faults, others } = sortFaults(saved.error, FAULT_NAMES)
  const text = (name: 'name' | 'description' | 'keyColumn' | 'endColumn' | 'url', field: string) => ({
    value: values[name],
    error: faults[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set({ [name]: currentTarget.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={table ? `Table ${table.name}` : 'New table'}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Faults texts={others} />
          <TextInput
            label="Name"
            description="Lower-case letters, digits, hyphens and underscores. Functions such as CISA KEV expect the name that is given in their description."
            required
            data-autofocus
            {...text('name', 'name')}
          />
          <Select
            label="Format"
            data={FORMATS.map(({ value, label }) => ({ value, label }))}
            allowDeselect={false}
            value={values.format}
            error={faults.format}
            onChange={(format) => set({ format: format ?? values.format })}
          />
          {hasColumns(values) && <Columns values={values} set={set} faults={faults} text={text} />}
          <TextInput
            label="Address"
            description="Where the content is downloaded from. Leave empty to upload it."
            placeholder="https://…"
            {...text('url', 'url')}
          />
          {values.url.trim() !== '' && (
            <ScheduleFields values={values} set={set} error={faults.execution_schedule} label="Refresh" />
          )}
          <TextInput label="Description" {...text('description', 'description')} />
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

interface ColumnsProps {
  readonly values: TableFormValues
  readonly set: (change: Partial<TableFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
  readonly text: (name: 'keyColumn' | 'endColumn', field: string) => object
}

function Columns({ values, set, faults, text }: ColumnsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label="Key column"
          description="Matched with the value, ignoring case."
          classNames={{ input: 'code' }}
          {...text('keyColumn', 'key_column')}
        />
        <TextInput
          label="End column"
          description="For address ranges: the last address."
          classNames={{ input: 'code' }}
          {...text('endColumn', 'end_column')}
        />
      </SimpleGrid>
      {values.format === 'csv' && (
        <TagsInput
          label="Columns"
          description="Only if the file has no header row."
          value={[...values.columns]}
          error={faults.columns}
          onChange={(columns) => set({ columns })}
        />
      )}
    </>
  )
}
