import {
  Autocomplete,
  Box,
  Group,
  Modal,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, use, useMemo, useState } from 'react'
import { call } from '../api/call.ts'
import type { Widget } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { DEFAULT_MATRIX, MATRICES } from '../attack/matrices.ts'
import { Faults, sortFaults } from '../ui/faults.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { formOf, isCounting, isTimeField, NEW_WIDGET, type WidgetFormValues, widgetOf } from './widget-form-values.ts'
import { countableQuery, previewQuery } from './widget-queries.ts'
import { WidgetView } from './widget-view.tsx'
import { WidgetViews } from './widget-views.ts'

const TYPES = [
  { value: 'number', label: 'Number' },
  { value: 'bar', label: 'Bar chart' },
  { value: 'line', label: 'Line chart' },
  { value: 'pie', label: 'Donut chart' },
  { value: 'table', label: 'Table' },
  { value: 'list', label: 'Entity list' },
  { value: 'attack-matrix', label: 'ATT&CK matrix' },
  { value: 'enrichers', label: 'Enrichment: quota and failures' },
]

/** What the types need that belong to other capabilities. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  enrichers: 'read enrichers',
  'attack-matrix': 'read attack',
}

const INTERVALS = ['hour', 'day', 'week', 'month', 'quarter', 'year']

const ORDERS = [
  { value: '-created_at', label: 'Newest first' },
  { value: '-last_updated_at', label: 'Last updated first' },
  { value: '-relevancy', label: 'Most relevant' },
  { value: 'data.title', label: 'Title' },
]

interface WidgetFormProps {
  /** The widget to edit; absent for a new one. */
  readonly widget?: Widget | undefined
  readonly onClose: () => void
  readonly onSaved: (widget: Widget) => Promise<unknown>
}

/** Creates or edits a widget, with a preview. */
export function WidgetForm({ widget, onClose, onSaved }: WidgetFormProps) {
  const may = useMay()
  const views = use(WidgetViews)
  const isOffered = (type: string) =>
    PERMISSIONS[type] === undefined || (may(PERMISSIONS[type]) && views[type] !== undefined)
  const [values, setValues] = useState(() => (widget ? formOf(widget) : NEW_WIDGET))
  const set = (change: Partial<WidgetFormValues>) => setValues((before) => ({ ...before, ...change }))
  const edited = useMemo(() => widgetOf(values, widget?.settings), [values, widget])
  const saved = useMutation({
    mutationFn: async () => {
      const path = widget ? `widgets/${widget.id}` : 'widgets'
      const { data } = await call<{ data: Widget }>(widget ? 'PATCH' : 'POST', path, { data: edited })
      await onSaved(data)
    },
    onSuccess: onClose,
  })
  const { fields, others } = sortFaults(saved.error, ['name', 'query', 'aggregation', 'settings'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={widget ? `Edit ${widget.name}` : 'New widget'} size="xl">
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Stack>
            <Faults texts={others} />
            <TextInput
              label="Name"
              required
              data-autofocus
              value={values.name}
              error={fields.name}
              onChange={({ currentTarget: { value } }) => set({ name: value })}
            />
            <Select
              label="Type"
              data={TYPES.filter(({ value }) => isOffered(value))}
              value={values.type}
              allowDeselect={false}
              onChange={(value) => set({ type: (value ?? 'bar') as WidgetFormValues['type'] })}
            />
            {values.type !== 'enrichers' && (
              <TextInput
                label="Query"
                description="A search query. Leave empty to include all entities."
                classNames={{ input: 'code' }}
                placeholder="type:indicator AND created_at:>now-30d"
                value={values.query}
                error={fields.query}
                onChange={({ currentTarget: { value } }) => set({ query: value })}
              />
            )}
            {values.type === 'attack-matrix' && (
              <Select
                label="Matrix"
                data={[...MATRICES]}
                value={values.matrix}
                error={fields.settings}
                allowDeselect={false}
                onChange={(matrix) => set({ matrix: matrix ?? DEFAULT_MATRIX })}
              />
            )}
            {isCounting(values.type) ? (
              <Counting values={values} set={set} error={fields.aggregation} />
            ) : (
              values.type === 'list' && <Listing values={values} set={set} error={fields.settings} />
            )}
          </Stack>
          <Preview values={values} settings={widget?.settings} />
        </SimpleGrid>
        <Box mt="lg">
          <FormActions submit={widget ? 'Save changes' : 'Add widget'} isSending={saved.isPending} onCancel={onClose} />
        </Box>
      </form>
    </Modal>
  )
}

interface PartProps {
  readonly values: WidgetFormValues
  readonly set: (change: Partial<WidgetFormValues>) => void
  readonly error: string | undefined
}

function Counting({ values, set, error }: PartProps) {
  const { data: fields } = useQuery(countableQuery)
  const names = (fields ?? []).map(({ name }) => name)
  return (
    <>
      <Autocomplete
        label="Group by"
        description="A field name as used in queries."
        required
        data={names}
        limit={100}
        value={values.group_by}
        error={error}
        onChange={(value) => set({ group_by: value })}
      />
      <Autocomplete
        label="Split by"
        description="A second field whose values become series."
        data={names}
        limit={100}
        value={values.split_by}
        onChange={(value) => set({ split_by: value })}
      />
      <Group grow>
        {isTimeField(values.group_by) && (
          <Select
            label="Interval"
            data={INTERVALS}
            value={values.interval || 'day'}
            allowDeselect={false}
            onChange={(value) => set({ interval: value ?? 'day' })}
          />
        )}
        <Limit values={values} set={set} most={1000} />
      </Group>
    </>
  )
}

function Listing({ values, set, error }: PartProps) {
  return (
    <Group grow align="flex-start">
      <Select
        label="Sort by"
        data={ORDERS}
        value={values.sort}
        error={error}
        allowDeselect={false}
        onChange={(value) => set({ sort: value ?? '-created_at' })}
      />
      <Limit values={values} set={set} most={100} />
    </Group>
  )
}

function Limit({ values, set, most }: Omit<PartProps, 'error'> & { readonly most: number }) {
  return (
    <NumberInput
      label="Maximum rows"
      min={1}
      max={most}
      value={values.limit}
      onChange={(value) => set({ limit: String(value) })}
    />
  )
}

/** A preview, updated shortly after the last change. */
function Preview({
  values,
  settings,
}: {
  readonly values: WidgetFormValues
  readonly settings: Widget['settings'] | undefined
}) {
  const [settled] = useDebouncedValue(values, 350)
  const previewed = widgetOf(settled, settings)
  const isReady = !isCounting(settled.type) || settled.group_by.trim() !== ''
  const data = useQuery({ ...previewQuery(previewed), enabled: isReady })
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Preview
      </Text>
      <Paper withBorder p="sm" h={300}>
        <Box h="100%">
          <WidgetView type={settled.type} field={previewed.aggregation?.group_by} data={data} />
        </Box>
      </Paper>
    </Stack>
  )
}
