import { Button, Group, Text, TextInput } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { endlessQuery, type Parameters } from '../api/lists.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import type { FieldModel } from './fields.ts'
import { ColumnChooser, ListFilters } from './list-filters.tsx'
import { conditionText, defaultColumns, type ListSearch, parametersOf, readCondition } from './list-search.ts'
import { ListTable, type Row } from './list-table.tsx'

interface ObjectListProps {
  readonly label: string
  readonly path: string
  readonly shown: readonly FieldModel[]
  readonly search: ListSearch
  readonly onSearch: (search: ListSearch) => void
  /** Query parameters that are always sent. */
  readonly fixed?: Parameters
  readonly columns?: readonly string[]
  readonly isSearchable?: boolean
  readonly pageOf?: (row: Row) => string
  /** Actions for the selected rows. */
  readonly bulk?: ((ids: readonly string[], clear: () => void) => ReactNode) | undefined
  readonly actions?: ((row: Row) => ReactNode) | undefined
  /** Shown when the list is empty. */
  readonly empty?: ReactNode
}

const PAGE_SIZE = 100

/** A list with filters, sorting and selectable columns, all kept in the URL. */
export function ObjectList(props: ObjectListProps) {
  const { label, path, shown, search, onSearch, fixed, bulk, pageOf, actions } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const list = useInfiniteQuery(endlessQuery<Row>(path, parametersOf(search, { limit: PAGE_SIZE, ...fixed })))
  const rows = list.data?.pages.flatMap(({ data }) => data)
  const total = list.data?.pages[0]?.total_count
  const chosen = search.columns?.filter((name) => shown.some((field) => field.name === name)) ?? []
  const columns = chosen.length > 0 ? chosen : (props.columns ?? defaultColumns(shown))
  const conditions = (search.where ?? []).flatMap((text) => readCondition(text) ?? [])
  const isNarrowed = conditions.length > 0 || Boolean(search.query)
  const clear = () => setSelected(new Set())
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="xs">
          {props.isSearchable && (
            <QueryInput value={search.query ?? ''} onChange={(query) => onSearch({ ...search, query })} />
          )}
          <ListFilters
            shown={shown}
            conditions={conditions}
            onChange={(next) => onSearch({ ...search, where: next.map(conditionText) })}
          />
          {total !== undefined && (
            <Text size="sm" c="dimmed" aria-live="polite">
              {total.toLocaleString('en')} {total === 1 ? 'object' : 'objects'}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {selected.size > 0 && bulk?.([...selected], clear)}
          <ColumnChooser
            shown={shown}
            columns={columns}
            onChange={(next) => onSearch({ ...withoutColumns(search), ...(next && { columns: next }) })}
          />
        </Group>
      </Group>
      <ErrorFaults error={list.error} />
      {!list.error && rows?.length !== 0 && (
        <ListTable
          label={label}
          rows={rows}
          shown={shown}
          columns={columns}
          sort={search.sort}
          onSort={(sort) => onSearch({ ...withoutSort(search), ...(sort && { sort }) })}
          {...(pageOf && { pageOf })}
          {...(actions && { actions })}
          {...(bulk && { selected, onSelect: setSelected })}
        />
      )}
      {rows?.length === 0 && (isNarrowed ? <NothingFound onClear={() => onSearch({})} /> : props.empty)}
      {list.hasNextPage && <LoadMore isLoading={list.isFetchingNextPage} onVisible={() => void list.fetchNextPage()} />}
    </>
  )
}

const withoutSort = ({ sort: _, ...rest }: ListSearch): ListSearch => rest
const withoutColumns = ({ columns: _, ...rest }: ListSearch): ListSearch => rest

const NothingFound = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState
    title="No matches"
    action={
      <Button variant="light" onClick={onClear}>
        Remove all filters
      </Button>
    }
  >
    Nothing matches all filters.
  </EmptyState>
)

function QueryInput({ value, onChange }: { readonly value: string; readonly onChange: (query: string) => void }) {
  const [typed, setTyped] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed)
      }}
    >
      <TextInput
        size="xs"
        w={240}
        aria-label="Query"
        placeholder="Enter a query"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  )
}

/** Loads the next page when it scrolls into view or is clicked. */
function LoadMore({ isLoading, onVisible }: { readonly isLoading: boolean; readonly onVisible: () => void }) {
  const { ref, entry } = useIntersection({ rootMargin: '300px' })
  const isSeen = entry?.isIntersecting ?? false
  useEffect(() => {
    if (isSeen && !isLoading) onVisible()
  }, [isSeen, isLoading, onVisible])
  return (
    <Group justify="center" py="md" ref={ref}>
      <Button variant="subtle" loading={isLoading} onClick={onVisible}>
        Load more
      </Button>
    </Group>
  )
}
