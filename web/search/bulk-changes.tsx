import { Autocomplete, Button, Menu, Popover, SegmentedControl, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNames } from '../api/names.ts'
import { useMay } from '../api/session.ts'
import { TLP_COLOURS } from '../domain/tlp.ts'
import { useTaxonomyPaths } from '../intelligence/taxonomies/taxonomy-paths.ts'
import { TlpBadge } from '../ui/badges.tsx'
import type { Change } from './bulk-change.ts'
import { valuesQuery } from './search-queries.ts'
import type { Bulk } from './use-bulk.ts'

interface BulkChangesProps {
  readonly mayTag: boolean
  readonly bulk: Bulk
}

/** Buttons for undoable changes: tags, TLP, taxonomies and datasets. */
export function BulkChanges({ mayTag, bulk }: BulkChangesProps) {
  const may = useMay()
  const mayFill = may('modify intel-sets') && may('read intel-sets') && may('read tasks')
  return (
    <>
      {mayTag && (
        <ChangeButton label="Tag" bulk={bulk}>
          {(done) => <TagForm onChange={done} />}
        </ChangeButton>
      )}
      {mayTag && <TlpMenu bulk={bulk} />}
      {mayTag && may('read taxonomies') && (
        <ChangeButton label="Taxonomy" bulk={bulk}>
          {(done) => <TaxonomyForm onChange={done} />}
        </ChangeButton>
      )}
      {mayFill && (
        <ChangeButton label="Dataset" bulk={bulk}>
          {(done) => <DatasetForm onChange={done} />}
        </ChangeButton>
      )}
    </>
  )
}

interface ChangeButtonProps {
  readonly label: string
  readonly bulk: Bulk
  readonly children: (done: (change: Change) => void) => ReactNode
}

function ChangeButton({ label, bulk, children }: ChangeButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus shadow="md" width={280} position="bottom-end">
      <Popover.Target>
        <Button size="compact-sm" variant="default" disabled={bulk.isBusy} onClick={() => setIsOpen(!isOpen)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        {children((change) => {
          setIsOpen(false)
          bulk.change(change)
        })}
      </Popover.Dropdown>
    </Popover>
  )
}

function TlpMenu({ bulk }: { readonly bulk: Bulk }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" disabled={bulk.isBusy}>
          TLP
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TLP_COLOURS.map((colour) => (
          <Menu.Item key={colour} onClick={() => bulk.change({ kind: 'tlp', colour })}>
            <TlpBadge tlp={colour} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => bulk.change({ kind: 'tlp', colour: null })}>Remove TLP</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface FormProps {
  readonly onChange: (change: Change) => void
}

/** Adds or removes something. */
function AddOrRemove({
  add,
  remove,
  canSend,
  onSend,
  children,
}: {
  /** The labels of the submit button. */
  readonly add: string
  readonly remove: string
  readonly canSend: boolean
  readonly onSend: (isAdded: boolean) => void
  readonly children: ReactNode
}) {
  const [way, setWay] = useState('add')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canSend) onSend(way === 'add')
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="Action"
          value={way}
          onChange={setWay}
          data={[
            { value: 'add', label: 'Add' },
            { value: 'remove', label: 'Remove' },
          ]}
        />
        {children}
        <Button type="submit" size="sm" disabled={!canSend}>
          {way === 'add' ? add : remove}
        </Button>
      </Stack>
    </form>
  )
}

function TagForm({ onChange }: FormProps) {
  const [tag, setTag] = useState('')
  const [prefix] = useDebouncedValue(tag, 150)
  const { data = [] } = useQuery(valuesQuery('entities', 'tags', prefix, 20))
  const name = tag.trim()
  return (
    <AddOrRemove
      add="Add tag"
      remove="Remove tag"
      canSend={name !== ''}
      onSend={(isAdded) => onChange({ kind: isAdded ? 'add-tag' : 'remove-tag', tag: name })}
    >
      <Autocomplete
        label="Tag"
        data-autofocus
        data={[...new Set(data.map(({ value }) => value))]}
        value={tag}
        onChange={setTag}
        maxLength={500}
        comboboxProps={{ withinPortal: false }}
      />
    </AddOrRemove>
  )
}

function TaxonomyForm({ onChange }: FormProps) {
  const paths = useTaxonomyPaths()
  const [id, setId] = useState<string | null>(null)
  return (
    <AddOrRemove
      add="Add taxonomy"
      remove="Remove taxonomy"
      canSend={id !== null}
      onSend={(isAdded) =>
        onChange({
          kind: isAdded ? 'add-taxonomy' : 'remove-taxonomy',
          taxonomy: id ?? '',
          name: paths.get(id ?? '') ?? '',
        })
      }
    >
      <NamedSelect label="Taxonomy" names={paths} value={id} onChange={setId} />
    </AddOrRemove>
  )
}

function DatasetForm({ onChange }: FormProps) {
  const names = useNames('datasets')
  const [id, setId] = useState<string | null>(null)
  return (
    <AddOrRemove
      add="Add to dataset"
      remove="Remove from dataset"
      canSend={id !== null}
      onSend={(isAdded) =>
        onChange({
          kind: isAdded ? 'add-dataset' : 'remove-dataset',
          dataset: id ?? '',
          name: names.get(id ?? '') ?? '',
        })
      }
    >
      <NamedSelect label="Dataset" names={names} value={id} onChange={setId} />
    </AddOrRemove>
  )
}

interface NamedSelectProps {
  readonly label: string
  readonly names: ReadonlyMap<string, string>
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

function NamedSelect({ label, names, value, onChange }: NamedSelectProps) {
  return (
    <Select
      label={label}
      data-autofocus
      searchable
      limit={100}
      nothingFoundMessage="No matches"
      data={[...names].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
