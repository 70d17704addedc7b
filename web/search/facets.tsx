import { Button, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { useMay } from '../api/session.ts'
import type { Consolidation } from '../domain/consolidations.ts'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { shownValue } from './filter-chips.tsx'
import { type Filter, fieldLabel, findFilter, type Searched, withFilter, withoutFilter } from './filters.ts'
import classes from './search.module.css'
import { facetFields, facetsQuery, type ValueCount } from './search-queries.ts'

interface FacetsProps {
  readonly searched: Searched
  readonly typed: string
  readonly filters: readonly Filter[]
  readonly view: Consolidation
  /** Whether the rows have loaded: counting must not delay them. */
  readonly isReady: boolean
  readonly onChange: (filters: readonly Filter[]) => void
}

const MIN_VALUES = 8
const MAX_VALUES = 50

/** Counts of frequent values in the results; clicking one adds a filter. */
export const Facets = memo(function Facets(props: FacetsProps) {
  const { searched, typed, filters, view, isReady, onChange } = props
  const may = useMay()
  const [opened, setOpened] = useState<readonly string[]>([])
  const limit = opened.length > 0 ? MAX_VALUES : MIN_VALUES + 1
  const fields = facetFields(searched, may)
  const facets = useQuery({ ...facetsQuery(searched, typed, filters, view, fields, limit), enabled: isReady })
  if (facets.isPending)
    return (
      <Stack gap={6} aria-hidden>
        {Array.from({ length: 9 }, (_, i) => (
          <Skeleton key={String(i)} h={18} />
        ))}
      </Stack>
    )
  if (facets.error) return <ErrorFaults error={facets.error} />
  return (
    <Stack gap="md" className={facets.isPlaceholderData ? classes.isOld : ''}>
      {fields.map((field) => (
        <Facet
          key={field}
          searched={searched}
          field={field}
          counts={facets.data.get(field) ?? []}
          filters={filters}
          isOpen={opened.includes(field)}
          onOpen={() => setOpened([...opened, field])}
          onChange={onChange}
        />
      ))}
    </Stack>
  )
})

interface FacetProps {
  readonly searched: Searched
  readonly field: string
  readonly counts: readonly ValueCount[]
  readonly filters: readonly Filter[]
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onChange: (filters: readonly Filter[]) => void
}

function Facet({ searched, field, counts, filters, isOpen, onOpen, onChange }: FacetProps) {
  if (counts.length === 0) return null
  const label = fieldLabel(searched, field)
  const shown = isOpen ? counts : counts.slice(0, MIN_VALUES)
  return (
    <section aria-label={label}>
      <Text size="xs" fw={600} c="dimmed" px={6} pb={2}>
        {label}
      </Text>
      {shown.map(({ value, count }) => {
        const filter = findFilter(filters, field, value)
        const isOn = filter !== undefined && !filter.isNot
        const name = shownValue({ field, value }, searched)
        return (
          <UnstyledButton
            key={value}
            className={classes.facet}
            aria-pressed={isOn}
            title={name}
            onClick={() =>
              onChange(isOn ? withoutFilter(filters, filter) : withFilter(filters, { field, value, isNot: false }))
            }
          >
            <span className={classes.title}>
              {field === 'type' && searched === 'entities' && <EntityIcon type={value} size={15} isDecoration />}
              <span className={classes.facetValue}>{name}</span>
            </span>
            <span className={classes.facetCount}>{count.toLocaleString('en')}</span>
          </UnstyledButton>
        )
      })}
      {!isOpen && counts.length > MIN_VALUES && (
        <Button size="compact-xs" variant="subtle" onClick={onOpen} aria-label={`Show more of ${label}`}>
          Show more
        </Button>
      )}
    </section>
  )
}
