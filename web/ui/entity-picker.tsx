import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../api/lists.ts'
import { titleQuery } from '../api/title-query.ts'
import { EntityIcon } from './entity-icon.tsx'
import { entityTypeName } from './entity-types.ts'
import { entityTitle, NAMED_ATTRIBUTES, type NamedEntity } from './named-entity.tsx'

interface EntityPickerProps {
  readonly label: string
  /** Ids of entities that are there already. */
  readonly chosen: readonly string[]
  readonly onPick: (entity: NamedEntity) => void
}

const TYPING_MS = 250
const SHOWN = 12

/** Finds an entity by words of its title, to add it to something. */
export function EntityPicker({ label, chosen, onPick }: EntityPickerProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text, TYPING_MS)
  const query = titleQuery(asked)
  const found = useQuery({
    ...listQuery<NamedEntity>('entities', { query, attributes: NAMED_ATTRIBUTES, limit: SHOWN }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  })
  const options = query === undefined ? [] : (found.data?.data ?? []).filter(({ id }) => !chosen.includes(id))
  const pick = (id: string) => {
    const entity = options.find((each) => each.id === id)
    if (entity) onPick(entity)
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
          rightSection={found.isFetching && <Loader size={12} />}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={query === undefined}>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label="Entities">
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
              </Group>
            </Combobox.Option>
          ))}
          {options.length === 0 && (
            <Combobox.Empty>{found.isFetching ? 'Looking…' : 'No entity with such a title'}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
