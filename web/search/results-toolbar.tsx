import { Group, Loader, NativeSelect, Text } from '@mantine/core'
import type { Consolidation } from '../domain/consolidations.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { BY_SCORE, COLUMNS } from './columns.ts'
import type { Searched } from './filters.ts'
import { ViewSwitch } from './view-switch.tsx'

interface ResultsToolbarProps {
  readonly searched: Searched
  /** The exact number of results; undefined until known. */
  readonly total: number | undefined
  readonly isMany: boolean
  readonly isBusy: boolean
  readonly sort: string
  readonly hasQuery: boolean
  readonly columns: readonly string[]
  readonly view: Consolidation
  readonly onView: (view: Consolidation) => void
  readonly onSort: (sort: string) => void
  readonly onColumns: (columns: readonly string[]) => void
}

const NOUNS: Readonly<Record<Searched, readonly [string, string]>> = {
  entities: ['entity', 'entities'],
  observables: ['observable', 'observables'],
}

/** The number of results, their order and columns. */
export function ResultsToolbar(props: ResultsToolbarProps) {
  const { searched, total, isMany, isBusy, sort, hasQuery, columns, view, onView, onSort, onColumns } = props
  const [one, many] = NOUNS[searched]
  const counted = total === undefined ? undefined : `${total.toLocaleString('en')} ${total === 1 ? one : many}`
  const sorts = Object.values(COLUMNS[searched]).flatMap(({ label, sort: by }) =>
    by === undefined
      ? []
      : [
          { value: by, label: `${label} ↑` },
          { value: `-${by}`, label: `${label} ↓` },
        ],
  )
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {counted ?? (isMany ? `More than 10,000 ${many}` : ' ')}
        </Text>
        {isBusy && <Loader size={14} aria-label="Searching" />}
      </Group>
      <Group gap="xs">
        {searched === 'entities' && <ViewSwitch view={view} onChange={onView} />}
        <NativeSelect
          size="xs"
          aria-label="Sort"
          value={sort}
          onChange={({ currentTarget }) => onSort(currentTarget.value)}
          data={[...(hasQuery ? [{ value: BY_SCORE, label: 'Best match' }] : []), ...sorts]}
        />
        <ColumnChooser searched={searched} columns={columns} onChange={onColumns} />
      </Group>
    </Group>
  )
}
