import { Skeleton, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { Consolidation } from '../domain/consolidations.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { ChosenActions } from './chosen.ts'
import { NoResults } from './no-results.tsx'
import { ObservableBar } from './observable-bar.tsx'
import { QueryHelp } from './query-help.tsx'
import { ResultsTable } from './results-table.tsx'
import { ResultsToolbar } from './results-toolbar.tsx'
import classes from './search.module.css'
import type { SearchState } from './search-state.ts'
import { NOTHING } from './selection.ts'
import type { Found } from './use-found.ts'
import type { ChangeState } from './use-search-state.ts'

interface ResultsProps {
  readonly state: SearchState
  readonly found: Found
  readonly onChange: ChangeState
  readonly actions: ChosenActions | undefined
}

/** The results of a search and the actions on them. */
export function Results({ state, found, onChange, actions }: ResultsProps) {
  const { searched, query, filters } = state
  const { rows, whole, total, fault, error } = found
  const navigate = useNavigate()
  const [selection, setSelection] = useState(NOTHING)
  // A new search clears the selection, because other rows are visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => setSelection(NOTHING), [whole, found.view])
  const sort = useCallback((by: string) => onChange({ sort: by }, true), [onChange])
  const look = useCallback((id: string) => onChange({ look: id }, true), [onChange])
  const open = useCallback((id: string) => void navigate({ to: `/${searched}/${id}` as never }), [navigate, searched])
  const chooseColumns = (columns: readonly string[]) => {
    found.keepColumns(columns)
    onChange({ columns }, true)
  }
  const chooseView = (view: Consolidation) => {
    found.keepView(view)
    onChange({ consolidation: view }, true)
  }
  const isEmpty = !found.isPending && !found.isOld && !error && !fault && rows.length === 0
  const hasSelection = selection.isAll || selection.ids.size > 0
  if (fault)
    return (
      <section className={classes.results} aria-label="Search results">
        <QueryHelp />
      </section>
    )
  return (
    <section className={classes.results} aria-label="Search results">
      <ResultsToolbar
        searched={searched}
        total={total}
        isMany={found.isMany}
        isBusy={found.isBusy}
        sort={found.sort}
        hasQuery={whole !== ''}
        columns={found.columns}
        view={found.view}
        onView={chooseView}
        onSort={sort}
        onColumns={chooseColumns}
      />
      {hasSelection && searched === 'entities' && (
        <BulkBar
          selection={selection}
          onSelect={setSelection}
          whole={whole}
          view={found.view}
          total={total}
          actions={actions}
        />
      )}
      {hasSelection && searched === 'observables' && (
        <ObservableBar
          rows={rows}
          selection={selection}
          onSelect={setSelection}
          actions={actions}
          onSearch={(by) => onChange({ searched: 'entities', query: by, filters: [], sort: '', columns: undefined })}
        />
      )}
      <ErrorFaults error={error} />
      {found.isPending && !error && <Waiting />}
      {isEmpty && (
        <NoResults
          isAsked={whole !== ''}
          hasFilters={filters.length > 0 && query !== ''}
          onClear={() => onChange({ query: '', filters: [] })}
          onClearFilters={() => onChange({ filters: [] })}
        />
      )}
      {rows.length > 0 && !error && (
        <ResultsTable
          searched={searched}
          columns={found.columns}
          rows={rows}
          total={total ?? rows.length}
          sort={found.sort}
          selection={selection}
          isOld={found.isOld}
          onSort={sort}
          onSelect={setSelection}
          onLook={look}
          onOpen={open}
          onEnd={found.more}
        />
      )}
    </section>
  )
}

const Waiting = () => (
  <Stack gap={6} role="status" aria-label="Loading">
    {Array.from({ length: 12 }, (_, i) => (
      <Skeleton key={String(i)} h={32} />
    ))}
  </Stack>
)
