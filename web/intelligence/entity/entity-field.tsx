import { Group, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { titleQuery } from '../../domain/title-query.ts'
import { UnifiedBadge } from '../../ui/badges.tsx'
import { EntityIcon } from '../entity-icon.tsx'

/** An entity as returned by the picker. */
export interface PickedEntity {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly isUnified?: boolean
}

interface EntityFieldProps {
  readonly label: string
  readonly value: PickedEntity | null
  readonly onChange: (entity: PickedEntity | null) => void
  /** The id of an entity to leave out, such as the source of the relationship. */
  readonly except?: string
  readonly error?: string | undefined
}

/** Finds an entity by its title; suggests the newest ones before anything is typed. */
export function EntityField({ label, value, onChange, except, error }: EntityFieldProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search === value?.title ? '' : search, 150)
  const query = titleQuery(asked)
  const found = useQuery({
    ...listQuery<Entity>('entities', {
      limit: 20,
      attributes: 'id,data.type,data.title,meta.title,meta.is_unified_entity',
      sort: query ? '-_score' : '-last_updated_at',
      ...(query && { query }),
    }),
    placeholderData: keepPreviousData,
  })
  const entities = (found.data?.data ?? [])
    .filter(({ id }) => id !== except)
    .map(({ id, data, meta }) => ({
      id,
      type: data.type,
      title: entityTitle({ data, meta }),
      isUnified: meta.is_unified_entity === true,
    }))
  const all = value && !entities.some(({ id }) => id === value.id) ? [value, ...entities] : entities
  const byId = new Map(all.map((entity) => [entity.id, entity]))
  const hasUnified = all.some(({ isUnified }) => isUnified === true)
  return (
    <Select
      openOnFocus={false}
      label={label}
      placeholder="Search by title"
      searchable
      clearable
      data={all.map(({ id, title, isUnified }) => ({ value: id, label: title, disabled: isUnified === true }))}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      value={value?.id ?? null}
      onChange={(id) => onChange(id === null ? null : (byId.get(id) ?? null))}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No matching entities'}
      renderOption={({ option }) => {
        const { type = '', isUnified } = byId.get(option.value) ?? {}
        return (
          <Group gap="xs" wrap="nowrap">
            <EntityIcon type={type} isDecoration />
            <Text size="sm" lineClamp={1} flex={1}>
              {option.label}
            </Text>
            <Text size="xs" c="dimmed">
              {entityTypeName(type)}
            </Text>
            {isUnified && <UnifiedBadge />}
          </Group>
        )
      }}
      description={
        hasUnified && 'Unified entities take no relationships of their own: select one of their contributors.'
      }
      error={error}
    />
  )
}
