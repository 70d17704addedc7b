import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { COLUMNS, chosenColumns, DEFAULT_COLUMNS } from './columns.ts'
import type { Searched } from './filters.ts'

interface ColumnChooserProps {
  readonly searched: Searched
  readonly columns: readonly string[]
  readonly onChange: (columns: readonly string[]) => void
}

/** Selects the columns of the result table. */
export function ColumnChooser({ searched, columns, onChange }: ColumnChooserProps) {
  const [, ...others] = Object.entries(COLUMNS[searched])
  const toggle = (name: string) =>
    onChange(
      chosenColumns(searched, columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name]),
    )
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="default">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap={8}>
          {others.map(([name, { label }]) => (
            <Checkbox
              key={name}
              size="xs"
              label={label}
              checked={columns.includes(name)}
              onChange={() => toggle(name)}
            />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(DEFAULT_COLUMNS[searched])}>
            Reset columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
