import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useCallback } from 'react'
import { useMay } from '../api/session.ts'
import { NoPermission } from '../ui/no-permission.tsx'
import type { ChosenActions } from './chosen.ts'
import { Facets } from './facets.tsx'
import { FilterChips } from './filter-chips.tsx'
import type { Filter } from './filters.ts'
import { QuickLook } from './quick-look.tsx'
import { Results } from './results.tsx'
import classes from './search.module.css'
import { SearchHead } from './search-head.tsx'
import { useFound } from './use-found.ts'
import { useSearchState } from './use-search-state.ts'

interface SearchProps {
  /** Further actions on the selected results. */
  readonly actions?: ChosenActions
}

/** The search page. */
export function Search({ actions }: SearchProps) {
  const may = useMay()
  return may('read entities') ? <SearchPage actions={actions} /> : <NoPermission permission="read entities" />
}

function SearchPage({ actions }: { readonly actions: ChosenActions | undefined }) {
  const [state, change] = useSearchState()
  const found = useFound(state)
  const [areFacetsOpen, facets] = useDisclosure(false)
  const { refetch } = found
  const search = useCallback(
    (query: string) => {
      // Submitting the same query again refreshes the results.
      if (query === state.query) void refetch()
      else change({ query, look: '' })
    },
    [change, refetch, state.query],
  )
  const filter = useCallback((filters: readonly Filter[]) => change({ filters, look: '' }), [change])
  const close = useCallback(() => change({ look: '' }, true), [change])
  return (
    <div className={classes.page}>
      <SearchHead state={state} fault={found.fault} onSearch={search} onChange={change} />
      <Stack gap="xs">
        <FilterChips searched={state.searched} filters={state.filters} onChange={filter} />
      </Stack>
      <div className={classes.body}>
        <Button
          hiddenFrom="md"
          size="compact-sm"
          variant="default"
          aria-expanded={areFacetsOpen}
          onClick={facets.toggle}
        >
          {areFacetsOpen ? 'Hide filters' : 'Show filters'}
        </Button>
        <aside className={classes.facets} aria-label="Filter by value" data-is-open={areFacetsOpen || undefined}>
          {!found.fault && (
            <Facets
              searched={state.searched}
              typed={state.query}
              filters={state.filters}
              view={found.view}
              isReady={found.isSettled}
              onChange={filter}
            />
          )}
        </aside>
        <Results key={state.searched} state={state} found={found} onChange={change} actions={actions} />
      </div>
      <QuickLook searched={state.searched} id={state.look} onClose={close} />
    </div>
  )
}
