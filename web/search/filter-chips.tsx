import { ActionIcon, Button, Group, Tooltip, UnstyledButton } from '@mantine/core'
import { defangText } from '../domain/defang-text.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { tlpName } from '../domain/tlp.ts'
import { Icon } from '../ui/icon.tsx'
import { AddFilter } from './add-filter.tsx'
import {
  type Filter,
  fieldLabel,
  filterValue,
  type Searched,
  withFilter,
  withoutFilter,
  writeFilter,
} from './filters.ts'
import classes from './search.module.css'

interface FilterChipsProps {
  readonly searched: Searched
  readonly filters: readonly Filter[]
  readonly onChange: (filters: readonly Filter[]) => void
}

/** The active filters. Each can be negated or removed. */
export function FilterChips({ searched, filters, onChange }: FilterChipsProps) {
  return (
    <Group gap={6}>
      {filters.length > 0 && (
        <Group gap={6} component="ul" className={classes.chips} aria-label="Filters">
          {filters.map((filter) => (
            <li key={writeFilter(filter)}>
              <Chip
                searched={searched}
                filter={filter}
                onTurn={() =>
                  onChange(filters.map((each) => (each === filter ? { ...each, isNot: !each.isNot } : each)))
                }
                onRemove={() => onChange(withoutFilter(filters, filter))}
              />
            </li>
          ))}
        </Group>
      )}
      <AddFilter searched={searched} onAdd={(added) => onChange(withFilter(filters, added))} />
      {filters.length > 1 && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange([])}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}

interface ChipProps {
  readonly searched: Searched
  readonly filter: Filter
  readonly onTurn: () => void
  readonly onRemove: () => void
}

function Chip({ searched, filter, onTurn, onRemove }: ChipProps) {
  const label = fieldLabel(searched, filter.field)
  const value = shownValue(filter, searched)
  const description = `${label} ${filter.isNot ? 'is not' : 'is'} ${value}`
  return (
    <span className={classes.chip} data-not={filter.isNot || undefined}>
      <Tooltip label={filter.isNot ? 'Change to “is”' : 'Change to “is not”'} openDelay={500}>
        <UnstyledButton className={classes.chipText} onClick={onTurn}>
          <span className={classes.chipLabel}>
            {label} {filter.isNot ? 'is not' : 'is'}{' '}
          </span>
          {value}
        </UnstyledButton>
      </Tooltip>
      <ActionIcon size={18} variant="subtle" color="gray" aria-label={`Remove ${description}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </ActionIcon>
    </span>
  )
}

/** The displayed value: entity types and TLP colours by display name. */
export function shownValue({ field, value }: Pick<Filter, 'field' | 'value'>, searched: Searched): string {
  if (field === 'type' && searched === 'entities') return entityTypeName(value)
  if (field === 'meta.tlp_color') return tlpName(value)
  return defangText(filterValue({ field, value }))
}
