import { Button, Group, Select } from '@mantine/core'
import { useMay } from '../../api/session.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { reasonKindLabel } from '../../domain/match-reasons.ts'
import { NameSelect } from '../../ui/name-select.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { CONSOLIDATED_TYPES } from './policy.ts'
import { SUGGESTED_KINDS, type SuggestionFilters } from './suggestion.ts'

/** The filters of suggestions, which are in the URL. */
export function useSuggestionFilters() {
  const url = useUrlState()
  const filters: SuggestionFilters = {
    type: url.get('type'),
    reason: url.get('reason'),
    source: url.get('source'),
  }
  return {
    filters,
    hasFilters: Object.values(filters).some((value) => value !== ''),
    set: (change: Partial<SuggestionFilters>) => url.set({ ...change, at: null }, true),
    clear: () => url.set({ type: null, reason: null, source: null, at: null }, true),
  }
}

/** Narrows suggestions by type, reason and source. */
export function SuggestionFilterBar() {
  const { filters, hasFilters, set, clear } = useSuggestionFilters()
  const mayReadSources = useMay()('read sources')
  return (
    <Group gap="sm">
      <Select
        aria-label="Type"
        placeholder="All types"
        data={CONSOLIDATED_TYPES.map((value) => ({ value, label: entityTypeName(value) }))}
        value={filters.type || null}
        onChange={(type) => set({ type: type ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear type' }}
        w={170}
      />
      <Select
        aria-label="Reason"
        placeholder="All reasons"
        data={SUGGESTED_KINDS.map((value) => ({ value, label: reasonKindLabel(value) }))}
        value={filters.reason || null}
        onChange={(reason) => set({ reason: reason ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear reason' }}
        w={170}
      />
      {mayReadSources && (
        <NameSelect
          of="sources"
          label="Source"
          isBare
          placeholder="All sources"
          value={filters.source}
          onChange={(source) => set({ source })}
          w={200}
        />
      )}
      {hasFilters && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
