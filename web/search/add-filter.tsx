import { Autocomplete, Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMay } from '../api/session.ts'
import { Icon } from '../ui/icon.tsx'
import { FILTER_FIELDS, type Filter, readFilter, type Searched, writeFilter } from './filters.ts'
import { valuesQuery } from './search-queries.ts'

interface AddFilterProps {
  readonly searched: Searched
  readonly onAdd: (filter: Filter) => void
}

/** Adds a filter on any filterable field. */
export function AddFilter({ searched, onAdd }: AddFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus shadow="md" width={320}>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => setIsOpen((before) => !before)}
        >
          Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Add filter">
        <FilterForm
          searched={searched}
          onAdd={(filter) => {
            setIsOpen(false)
            onAdd(filter)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

const SPANS = [
  { value: 'now-1d', label: 'Last day' },
  { value: 'now-7d', label: 'Last 7 days' },
  { value: 'now-30d', label: 'Last 30 days' },
  { value: 'now-1y', label: 'Last year' },
  { value: '', label: 'Custom range' },
]

function FilterForm({ searched, onAdd }: AddFilterProps) {
  const may = useMay()
  const [field, setField] = useState('tags')
  const [value, setValue] = useState('')
  const [is, setIs] = useState('is')
  const fields = Object.entries(FILTER_FIELDS[searched]).filter(([, { permission }]) => !permission || may(permission))
  const chosen = FILTER_FIELDS[searched][field] ? field : (fields[0]?.[0] ?? '')
  const isTime = FILTER_FIELDS[searched][chosen]?.isTime === true
  const filter = readFilter(writeFilter({ field: chosen, value: value.trim(), isNot: is === 'is not' }))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (filter) onAdd(filter)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Select
            label="Field"
            data={fields.map(([name, { label }]) => ({ value: name, label }))}
            value={chosen}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(name) => {
              setField(name ?? '')
              setValue('')
            }}
          />
          <Select
            aria-label="Condition"
            w={110}
            data={['is', 'is not']}
            value={is}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(chosenIs) => setIs(chosenIs ?? 'is')}
          />
        </Group>
        {isTime ? (
          <TimeValue value={value} onChange={setValue} />
        ) : (
          <ValueInput searched={searched} field={chosen} value={value} onChange={setValue} />
        )}
        <Button type="submit" disabled={!filter}>
          Apply filter
        </Button>
      </Stack>
    </form>
  )
}

interface ValueProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueInput({
  searched,
  field,
  value,
  onChange,
}: ValueProps & { readonly searched: Searched; readonly field: string }) {
  const [prefix] = useDebouncedValue(value, 150)
  const { data = [] } = useQuery({ ...valuesQuery(searched, field, prefix, 20), enabled: field !== '' })
  return (
    <Autocomplete
      label="Value"
      data={[...new Set(data.map((each) => each.value))]}
      value={value}
      onChange={onChange}
      limit={20}
      comboboxProps={{ withinPortal: false }}
    />
  )
}

function TimeValue({ value, onChange }: ValueProps) {
  const isSpan = value.includes('..')
  const [from = '', to = ''] = isSpan ? value.split('..') : []
  return (
    <>
      <Select
        label="Period"
        data={SPANS}
        value={isSpan ? '' : value || null}
        placeholder="Select"
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(span) => onChange(span === '' || span === null ? '..' : span)}
      />
      {isSpan && (
        <Group grow gap="xs">
          <TextInput
            type="date"
            label="From"
            value={from}
            onChange={({ currentTarget }) => onChange(`${currentTarget.value}..${to}`)}
          />
          <TextInput
            type="date"
            label="To"
            value={to}
            onChange={({ currentTarget }) => onChange(`${from}..${currentTarget.value}`)}
          />
        </Group>
      )}
    </>
  )
}
