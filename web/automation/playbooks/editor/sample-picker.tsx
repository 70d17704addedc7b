import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery, type Parameters } from '../../../api/lists.ts'
import { useMay } from '../../../api/session.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { entityTitle } from '../../../domain/entity-title.ts'
import { titleQuery } from '../../../domain/title-query.ts'
import { valueQuery } from '../../../domain/value-query.ts'
import { NAMED_ATTRIBUTES, type NamedEntity } from '../../../intelligence/named-entity.tsx'
import { OBJECTS, type ObjectCollection } from '../playbook.ts'

interface SamplePickerProps {
  readonly label: string
  readonly collection: ObjectCollection
  /** Which objects are suggested before the user types. */
  readonly query: string | null
  /** Shown while none is chosen. */
  readonly placeholder: string
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

const MAX_LISTED = 20
const DEBOUNCE_MS = 250

const READING: Readonly<Record<ObjectCollection, string>> = {
  entities: 'read entities',
  observables: 'read extracts',
  files: 'read files',
}

/** How the objects of a collection are listed, searched and named. */
const LISTED: Readonly<
  Record<
    ObjectCollection,
    { readonly attributes: string; search(typed: string): string | undefined; name(object: never): string }
  >
> = {
  entities: { attributes: NAMED_ATTRIBUTES, search: titleQuery, name: (entity: NamedEntity) => entityTitle(entity) },
  observables: {
    attributes: 'id,type,value',
    search: (typed) => valueQuery(typed) || undefined,
    name: ({ type, value }: { type: string; value: string }) => `${defangText(value)} (${type})`,
  },
  files: {
    attributes: 'id,name',
    search: (typed) => (/^[\w.-]+$/.test(typed) ? `name:${typed.replaceAll('-', '\\-')}*` : undefined),
    name: ({ id, name }: { id: number; name: string }) => name || `File ${id}`,
  },
}

/** Chooses an object of a collection: one of the latest that match, or one that is found by its name. */
export function SamplePicker({ label, collection, query, placeholder, value, onChange }: SamplePickerProps) {
  const canRead = useMay()(READING[collection])
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  const chosenName = value === null ? undefined : known.get(value)
  const [asked] = useDebouncedValue(typed === chosenName ? '' : typed, DEBOUNCE_MS)
  const { attributes, search, name } = LISTED[collection]
  const wanted = asked.trim() === '' ? query || undefined : search(asked)
  const parameters: Parameters = {
    attributes,
    limit: MAX_LISTED,
    sort: '-created_at',
    ...(wanted && { query: wanted }),
  }
  const found = useQuery({
    ...listQuery<{ readonly id: string | number }>(collection, parameters),
    enabled: canRead,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const options = (found.data?.data ?? []).map((each) => ({ value: String(each.id), label: name(each as never) }))
  const isListed = value === null || options.some((each) => each.value === value)
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={isListed ? options : [{ value, label: chosenName ?? value }, ...options]}
      filter={({ options: all }) => all}
      value={value}
      onChange={(id) => {
        const option = options.find((each) => each.value === id)
        if (option) setKnown(new Map(known).set(option.value, option.label))
        onChange(id)
      }}
      onSearchChange={setTyped}
      searchable
      clearable
      disabled={!canRead}
      openOnFocus={false}
      nothingFoundMessage={found.isFetching ? 'Searching…' : `No matching ${OBJECTS[collection].many}`}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  )
}
