import { Button, Group, Text } from '@mantine/core'
import { defang } from '../domain/observables.ts'
import { CopyAs } from '../ui/copy-as.tsx'
import type { ChosenActions } from './chosen.ts'
import { quoted } from './filters.ts'
import classes from './search.module.css'
import type { Row } from './search-queries.ts'
import { isSelected, NOTHING, type Selection } from './selection.ts'

interface ObservableBarProps {
  readonly rows: readonly Row[]
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly actions: ChosenActions | undefined
  /** Searches for entities. */
  readonly onSearch: (query: string) => void
}

/** A query may contain at most 1,024 clauses. */
const MAX_SEARCHED_VALUES = 200

/** Actions on selected observables: copy them, or find their entities. */
export function ObservableBar({ rows, selection, onSelect, actions, onSearch }: ObservableBarProps) {
  const chosen = rows.filter(({ id }) => isSelected(selection, String(id)))
  const values = chosen.map(({ value = '' }) => value)
  const defanged = chosen.map(({ type = '', value = '' }) => defang(type, value))
  return (
    <section className={classes.bulk} aria-label="Selected rows">
      <Text size="sm" fw={600} role="status">
        {chosen.length.toLocaleString('en')} selected
      </Text>
      <Group gap={6} ml="auto">
        <CopyAs label="Copy defanged" text={defanged.join('\n')} />
        <CopyAs label="Copy as stored" text={values.join('\n')} />
        {chosen.length <= MAX_SEARCHED_VALUES && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onSearch(`extracts.value:(${values.map(quoted).join(' OR ')})`)}
          >
            Find entities
          </Button>
        )}
        {actions?.({ searched: 'observables', ids: chosen.map(({ id }) => Number(id)) })}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onSelect(NOTHING)}>
          Clear selection
        </Button>
      </Group>
    </section>
  )
}
