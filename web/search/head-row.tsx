import { UnstyledButton } from '@mantine/core'
import { COLUMNS, nextSort } from './columns.ts'
import type { Searched } from './filters.ts'
import classes from './search.module.css'
import { isSelected, NOTHING, type Selection } from './selection.ts'

interface HeadRowProps {
  readonly searched: Searched
  readonly columns: readonly string[]
  readonly sort: string
  readonly template: string
  readonly rows: readonly { readonly id: string }[]
  readonly selection: Selection
  readonly onSort: (sort: string) => void
  readonly onSelect: (selection: Selection) => void
}

/** The column headers, which sort on click, and a checkbox that selects all loaded rows. */
export function HeadRow({ searched, columns, sort, template, rows, selection, onSort, onSelect }: HeadRowProps) {
  const isEvery = rows.length > 0 && rows.every(({ id }) => isSelected(selection, id))
  return (
    <thead className={classes.head}>
      <tr className={classes.row} style={{ gridTemplateColumns: template }}>
        <th className={classes.cell} scope="col">
          <input
            type="checkbox"
            className={classes.tick}
            aria-label="Select all loaded rows"
            checked={isEvery}
            ref={(box) => {
              if (box) box.indeterminate = !isEvery && (selection.isAll || selection.ids.size > 0)
            }}
            onChange={() =>
              onSelect(isEvery ? NOTHING : { isAll: false, ids: new Set(rows.map(({ id }) => id)), anchor: 0 })
            }
          />
        </th>
        {columns.map((name) => (
          <HeadCell key={name} searched={searched} name={name} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

type HeadCellProps = Pick<HeadRowProps, 'searched' | 'sort' | 'onSort'> & { readonly name: string }

function HeadCell({ searched, name, sort, onSort }: HeadCellProps) {
  const { label, sort: by } = COLUMNS[searched][name] ?? { label: name }
  const className = `${classes.cell} ${classes.headCell}`
  if (by === undefined)
    return (
      <th className={className} scope="col">
        {label}
      </th>
    )
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'
  return (
    <th className={className} scope="col" aria-sort={direction}>
      <UnstyledButton className={classes.sorter} onClick={() => onSort(nextSort(sort, by))}>
        {label}
        <span aria-hidden>{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
      </UnstyledButton>
    </th>
  )
}
