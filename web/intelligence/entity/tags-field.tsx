import { TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../../api/lists.ts'

interface TagsFieldProps {
  readonly value: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
  readonly error?: string | undefined
  readonly label?: string
}

/** Tags, with suggestions from existing entities. */
export function TagsField({ value, onChange, error, label = 'Tags' }: TagsFieldProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim().replaceAll('*', ''), 150)
  const found = useQuery({
    ...listQuery<{ name: string }>('tags', { limit: 20, ...(asked !== '' && { 'filter[name]': asked }) }),
    placeholderData: keepPreviousData,
  })
  return (
    <TagsInput
      openOnFocus={false}
      label={label}
      placeholder={value.length === 0 ? 'Type a tag and press Enter' : ''}
      value={[...value]}
      onChange={onChange}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...new Set((found.data?.data ?? []).map(({ name }) => name))]}
      filter={({ options }) => options}
      acceptValueOnBlur
      clearable
      error={error}
    />
  )
}
