import { Button, Group, Menu, Pill, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import type { FieldModel } from './fields.ts'
import { type Comparison, type Condition, comparisonsOf, isFilterable } from './list-search.ts'
import { ReferenceInput } from './reference-input.tsx'
import { ReferenceName } from './reference-name.tsx'

interface ListFiltersProps {
  readonly shown: readonly FieldModel[]
  readonly conditions: readonly Condition[]
  readonly onChange: (conditions: readonly Condition[]) => void
}

/** The filters of a list, with a form to add one. */
export function ListFilters({ shown, conditions, onChange }: ListFiltersProps) {
  const [isOpen, { open, close, toggle }] = useDisclosure()
  return (
    <Group gap="xs">
      <Popover
        opened={isOpen}
        onChange={(next) => (next ? open() : close())}
        position="bottom-start"
        trapFocus
        withinPortal
      >
        <Popover.Target>
          <Button variant="default" size="xs" onClick={toggle} aria-expanded={isOpen}>
            Add filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown w={300} aria-label="New filter">
          <ConditionForm
            fields={shown.filter(isFilterable)}
            onAdd={(condition) => {
              onChange([...conditions, condition])
              close()
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {conditions.map((condition, index) => (
        <Pill
          key={`${condition.field}${condition.comparison}${condition.value}`}
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Remove filter on ${condition.field}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => onChange(conditions.filter((_, i) => i !== index))}
        >
          <ConditionName condition={condition} shown={shown} />
        </Pill>
      ))}
    </Group>
  )
}

function ConditionName({ condition, shown }: { readonly condition: Condition; readonly shown: readonly FieldModel[] }) {
  const field = shown.find(({ name }) => name === condition.field)
  const word = comparisonsOf(field?.kind ?? 'text').find(({ value }) => value === condition.comparison)?.label ?? 'is'
  const isReference = field?.kind === 'reference' || field?.kind === 'references'
  return (
    <>
      {field?.label ?? condition.field} {word}{' '}
      {isReference && condition.value !== 'null' ? <ReferenceName url={condition.value} /> : condition.value}
    </>
  )
}

interface ConditionFormProps {
  readonly fields: readonly FieldModel[]
  readonly onAdd: (condition: Condition) => void
}

function ConditionForm({ fields, onAdd }: ConditionFormProps) {
  const [name, setName] = useState<string | null>(null)
  const [comparison, setComparison] = useState<Comparison>('')
  const [value, setValue] = useState<string | null>(null)
  const field = fields.find((each) => each.name === name)
  const choose = (next: string | null) => {
    const kind = fields.find((each) => each.name === next)?.kind ?? 'text'
    setName(next)
    setComparison(comparisonsOf(kind)[0]?.value ?? '')
    setValue(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (field && value) onAdd({ field: field.name, comparison, value: sentValue(field, value) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Select
          label="Field"
          data={fields.map((each) => ({ value: each.name, label: each.label }))}
          value={name}
          onChange={choose}
          searchable
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
        {field && (
          <>
            <Select
              label="Operator"
              data={[...comparisonsOf(field.kind)]}
              value={comparison}
              onChange={(next) => setComparison((next ?? '') as Comparison)}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
            />
            <ValueInput field={field} value={value} onChange={setValue} />
            <Button type="submit" disabled={!value}>
              Apply filter
            </Button>
          </>
        )}
      </Stack>
    </form>
  )
}

/** Times are entered in UTC, and labelled as such. */
const sentValue = ({ kind }: FieldModel, value: string): string => (kind === 'time' ? `${value}:00Z` : value)

interface ValueInputProps {
  readonly field: FieldModel
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

function ValueInput({ field, value, onChange }: ValueInputProps) {
  const choices = field.kind === 'boolean' ? ['true', 'false'] : field.choices?.filter((choice) => choice !== '')
  if (choices)
    return (
      <Select
        label="Value"
        data={choices}
        value={value}
        onChange={onChange}
        searchable={choices.length > 8}
        comboboxProps={{ withinPortal: false }}
      />
    )
  if (field.collection)
    return (
      <ReferenceInput
        field={{
          name: field.name,
          label: 'Value',
          kind: 'reference',
          isRequired: false,
          isNullable: true,
          isReadOnly: false,
          collection: field.collection,
        }}
        value={value}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      label={field.kind === 'time' ? 'Value (UTC)' : 'Value'}
      type={field.kind === 'time' ? 'datetime-local' : field.kind === 'number' ? 'number' : 'text'}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(field.kind === 'text' || field.kind === 'long-text'
        ? { description: 'Matches the exact value, case-sensitive.' }
        : {})}
    />
  )
}

interface ColumnChooserProps {
  readonly shown: readonly FieldModel[]
  readonly columns: readonly string[]
  readonly onChange: (columns: readonly string[] | undefined) => void
}

/** Selects the columns of a table. */
export function ColumnChooser({ shown, columns, onChange }: ColumnChooserProps) {
  const toggle = (name: string) =>
    onChange(columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name])
  return (
    <Menu closeOnItemClick={false} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {shown.map(({ name, label }) => (
          <Menu.Item
            key={name}
            role="menuitemcheckbox"
            aria-checked={columns.includes(name)}
            onClick={() => toggle(name)}
            leftSection={<span aria-hidden="true">{columns.includes(name) ? '✓' : ' '}</span>}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(undefined)}>Reset columns</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
