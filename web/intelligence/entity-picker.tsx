import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../api/lists.ts'
import type { Observable } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { titleQuery } from '../domain/title-query.ts'
import { valueQuery } from '../domain/value-query.ts'
import { UnifiedBadge } from '../ui/badges.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { EntityIcon } from './entity-icon.tsx'
import { NAMED_ATTRIBUTES, type NamedEntity } from './named-entity.tsx'

interface EntityPickerProps {
  readonly label: string
  /** Ids of entities and observables that are already selected. */
  readonly chosen: readonly string[]
  readonly onPick: (entity: NamedEntity) => void
  /** If given, observables are suggested as well, by the start of their value. */
  readonly onPickObservable?: (id: number) => void
}

const DEBOUNCE_MS = 250
const MAX_ENTITIES = 12
const MAX_OBSERVABLES = 6

/** Finds an entity by its title, or an observable by its value, and adds it. */
export function EntityPicker({ label, chosen, onPick, onPickObservable }: EntityPickerProps) {
  const may = useMay()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text, DEBOUNCE_MS)
  const query = titleQuery(asked)
  const byValue = onPickObservable && may('read extracts') && asked.length > 2 ? valueQuery(asked) : ''
  const found = useQuery({
    ...listQuery<NamedEntity>('entities', {
      query,
      attributes: NAMED_ATTRIBUTES,
      limit: MAX_ENTITIES,
      ...(asked.length > 2 && { sort: '-_score' }),
    }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  })
  const values = useQuery({
    ...listQuery<Observable>('observables', {
      query: byValue,
      attributes: 'id,type,value',
      limit: MAX_OBSERVABLES,
    }),
    enabled: byValue !== '',
    placeholderData: keepPreviousData,
  })
  const isKnown = (id: string | number) => chosen.includes(String(id))
  const options = query === undefined ? [] : (found.data?.data ?? []).filter(({ id }) => !isKnown(id))
  const observables = byValue === '' ? [] : (values.data?.data ?? []).filter(({ id }) => !isKnown(id))
  const isFetching = found.isFetching || values.isFetching
  const pick = (id: string) => {
    const entity = options.find((each) => each.id === id)
    if (entity) onPick(entity)
    else onPickObservable?.(Number(id))
    setText('')
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal>
      <Combobox.Target>
        <TextInput
          aria-label={label}
          placeholder={label}
          size="xs"
          value={text}
          rightSection={isFetching && <Loader size={12} />}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={query === undefined && byValue === ''}>
        <Combobox.Options
          mah={280}
          style={{ overflowY: 'auto' }}
          aria-label={onPickObservable ? 'Entities and observables' : 'Entities'}
        >
          {options.map((entity) => (
            <Combobox.Option key={entity.id} value={entity.id}>
              <Group gap={6} wrap="nowrap">
                <EntityIcon type={entity.data.type} isDecoration />
                <Text size="sm" truncate="end">
                  {entityTitle(entity)}
                </Text>
                <Text size="xs" c="dimmed">
                  {entityTypeName(entity.data.type)}
                </Text>
                {entity.meta.is_unified_entity === true && <UnifiedBadge />}
              </Group>
            </Combobox.Option>
          ))}
          {observables.map(({ id, type, value }) => (
            <Combobox.Option key={id} value={String(id)}>
              <Group gap={6} wrap="nowrap">
                <Indicator type={type} value={value} canCopy={false} />
                <Text size="xs" c="dimmed">
                  {type}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
          {options.length + observables.length === 0 && (
            <Combobox.Empty>
              {isFetching
                ? 'Searching…'
                : onPickObservable
                  ? 'No matching entities or observables'
                  : 'No matching entities'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
