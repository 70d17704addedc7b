import { Box, Button, Group, SegmentedControl } from '@mantine/core'
import { useCallback, useId, useRef, useState } from 'react'
import { useAiFeature } from '../ai/features.ts'
import type { QueryFault } from '../api/query-fault.ts'
import { useMay } from '../api/session.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import type { Searched } from './filters.ts'
import { PasteDialog } from './paste-dialog.tsx'
import { type Draft, QueryBox } from './query-box.tsx'
import { SavedQueries } from './saved-queries.tsx'
import type { SearchState } from './search-state.ts'
import type { ChangeState } from './use-search-state.ts'
import { WordsPanel } from './words/words-panel.tsx'

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
  const mayAsk = useAiFeature('nlp_to_search')
  const [isAsking, setIsAsking] = useState(false)
  const [draft, setDraft] = useState<Draft | undefined>()
  const askButton = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const search = useCallback(
    (query: string) => {
      setIsAsking(false)
      setDraft(undefined)
      onSearch(query)
    },
    [onSearch],
  )
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
          <QueryBox searched={state.searched} query={state.query} fault={fault} draft={draft} onSearch={search} />
          {mayAsk && (
            <Button
              ref={askButton}
              h={38}
              variant="default"
              leftSection={<Icon name="spark" size={14} />}
              aria-expanded={isAsking}
              aria-controls={isAsking ? panelId : undefined}
              onClick={() => setIsAsking(!isAsking)}
            >
              Ask in words
            </Button>
          )}
        </Group>
        {mayAsk && isAsking && (
          <Box mt="xs">
            <WordsPanel
              key={state.searched}
              id={panelId}
              searched={state.searched}
              hasFilters={state.filters.length > 0}
              onDraft={(query) => setDraft({ query })}
              onClose={() => {
                setIsAsking(false)
                askButton.current?.focus()
              }}
            />
          </Box>
        )}
      </search>
      <PasteDialog isOpen={isPasting} onClose={() => setIsPasting(false)} />
    </>
  )
}
