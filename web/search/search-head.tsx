import { Button, Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { QueryFault } from '../api/query-fault.ts'
import { useMay } from '../api/session.ts'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import type { Searched } from './filters.ts'
import { PasteDialog } from './paste-dialog.tsx'
import { QueryBox } from './query-box.tsx'
import { SavedQueries } from './saved-queries.tsx'
import type { SearchState } from './search-state.ts'
import type { ChangeState } from './use-search-state.ts'

interface SearchHeadProps {
  readonly state: SearchState
  readonly fault: QueryFault | undefined
  readonly onSearch: (query: string) => void
  readonly onChange: ChangeState
}

const SEARCHED = [
  { value: 'entities', label: 'Entities' },
  { value: 'observables', label: 'Observables' },
]

/** The query input and the choice between entities and observables. */
export function SearchHead({ state, fault, onSearch, onChange }: SearchHeadProps) {
  const may = useMay()
  const [isPasting, setIsPasting] = useState(false)
  return (
    <>
      <PageHead
        title="Search"
        actions={
          <>
            {may('read extracts') && (
              <Button size="compact-md" variant="default" onClick={() => setIsPasting(true)}>
                Look up indicators
              </Button>
            )}
            <SavedQueries state={state} onOpen={(saved) => onChange(saved)} />
            {may('modify entities') && (
              <PageLink to="/entities/new" underline="never">
                <Button size="compact-md" component="span" tabIndex={-1}>
                  Create entity
                </Button>
              </PageLink>
            )}
          </>
        }
      />
      <search>
        <Group align="flex-start" gap="xs">
          {may('read extracts') && (
            <SegmentedControl
              aria-label="Collection"
              data={SEARCHED}
              value={state.searched}
              onChange={(searched) =>
                onChange({ searched: searched as Searched, filters: [], sort: '', columns: undefined, look: '' })
              }
            />
          )}
          <QueryBox searched={state.searched} query={state.query} fault={fault} onSearch={onSearch} />
        </Group>
      </search>
      <PasteDialog isOpen={isPasting} onClose={() => setIsPasting(false)} />
    </>
  )
}
