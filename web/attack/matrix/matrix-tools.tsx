import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import type { useView } from './use-view.ts'

const ORDER_OPTIONS = [
  { value: 'matrix', label: 'Matrix order' },
  { value: 'score', label: 'Highest first' },
  { value: 'gap', label: 'Largest gap first' },
]

const SEARCH_DELAY_MS = 200

interface MatrixToolsProps {
  readonly shown: ReturnType<typeof useView>
  readonly platforms: readonly string[]
  /** Whether there are gaps to order by. */
  readonly hasGaps: boolean
  readonly children?: ReactNode
}

/** Searches, filters and arranges the techniques of a matrix. */
export function MatrixTools({ shown: { view, isExpanded, set }, platforms, hasGaps, children }: MatrixToolsProps) {
  const [typed, setTyped] = useState(view.search)
  const search = useDebouncedCallback((text: string) => set({ q: text.trim() || null }), SEARCH_DELAY_MS)
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search techniques"
        placeholder="Search by id or name"
        leftSection={<Icon name="search" size={14} />}
        w={210}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          search(value)
        }}
      />
      {platforms.length > 0 && (
        <MultiSelect
          aria-label="Platforms"
          placeholder={view.platforms.length === 0 ? 'All platforms' : ''}
          data={[...platforms]}
          value={[...view.platforms]}
          onChange={(chosen) => set({ platforms: chosen.join(',') || null })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear platforms' }}
          w={view.platforms.length > 1 ? 280 : 180}
        />
      )}
      <Select
        aria-label="Order"
        data={ORDER_OPTIONS.filter(({ value }) => hasGaps || value !== 'gap')}
        value={view.order}
        allowDeselect={false}
        onChange={(order) => set({ sort: order === 'matrix' ? null : order })}
        w={160}
      />
      <Switch
        label="Hide unused"
        checked={view.isUsedOnly}
        onChange={({ currentTarget: { checked } }) => set({ used: checked ? 'true' : null })}
      />
      <Button variant="default" onClick={() => set({ expand: isExpanded ? null : 'all' })}>
        {isExpanded ? 'Fold all' : 'Expand all'}
      </Button>
      {children}
    </>
  )
}
