import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type Dispatch, memo, type SetStateAction, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CELLS } from './cells.tsx'
import { COLUMNS } from './columns.ts'
import type { Searched } from './filters.ts'
import { HeadRow } from './head-row.tsx'
import { ResultRow } from './result-row.tsx'
import classes from './search.module.css'
import type { Row } from './search-queries.ts'
import { isSelected, ranged, type Selection, toggled } from './selection.ts'
import { useRowKeys } from './use-row-keys.ts'

interface ResultsTableProps {
  readonly searched: Searched
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** The total number of rows, as far as known. */
  readonly total: number
  readonly sort: string
  readonly selection: Selection
  /** Whether the rows belong to the previous search. */
  readonly isOld: boolean
  readonly onSort: (sort: string) => void
  readonly onSelect: Dispatch<SetStateAction<Selection>>
  readonly onLook: (id: string) => void
  readonly onOpen: (id: string) => void
  readonly onEnd: () => void
}

export const ROW_HEIGHT = 38
/** The number of rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 6
/** The next page is loaded when this many rows remain. */
const PREFETCH_ROWS = 30

const features = tableFeatures({})
type Features = typeof features

/** The results as a keyboard-navigable grid that renders only its visible rows. */
export const ResultsTable = memo(function ResultsTable(props: ResultsTableProps) {
  const { searched, columns, rows, total, sort, selection, isOld, onSort, onSelect, onLook, onOpen, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const definitions = useMemo(
    () =>
      columns.map((name): ColumnDef<Features, Row> => {
        const cell = CELLS[searched][name]
        return {
          id: name,
          header: COLUMNS[searched][name]?.label ?? name,
          cell: ({ row }) => cell?.(row.original) ?? null,
        }
      }),
    [searched, columns],
  )
  const table = useTable({ features, columns: definitions, data: rows, getRowId: ({ id }) => String(id) })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
    scrollPaddingStart: ROW_HEIGHT,
  })
  const drawn = virtual.getVirtualItems()
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - PREFETCH_ROWS) onEnd()
  }, [last, rows.length, onEnd])

  const ids = useMemo(() => rows.map(({ id }) => ({ id: String(id) })), [rows])
  const select = useCallback(
    (index: number, isRange: boolean) => {
      const id = ids[index]?.id
      if (id === undefined) return
      setActive(index)
      onSelect((before) => (isRange ? ranged(before, ids, index) : toggled(before, id, index)))
    },
    [ids, onSelect],
  )
  const look = useCallback(
    (index: number) => {
      setActive(index)
      onLook(ids[index]?.id ?? '')
    },
    [ids, onLook],
  )
  const onKeyDown = useRowKeys({
    active,
    count: rows.length,
    go: (index) => {
      setActive(index)
      virtual.scrollToIndex(index)
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }),
      )
    },
    select,
    look,
    open: (index) => onOpen(ids[index]?.id ?? ''),
  })
  const template = `40px ${columns.map((name) => widthOf(searched, name)).join(' ')}`
  const all = table.getRowModel().rows

  return (
    <div className={classes.scroller} ref={scroller}>
      <table
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between its rows, which can be selected
        role="grid"
        aria-label="Results"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        aria-busy={isOld}
      >
        <HeadRow
          searched={searched}
          columns={columns}
          sort={sort}
          template={template}
          rows={ids}
          selection={selection}
          onSort={onSort}
          onSelect={onSelect}
        />
        <tbody
          className={isOld ? `${classes.rows} ${classes.isOld}` : classes.rows}
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {drawn.map(({ index, start }) => {
            const row = all[index]
            if (!row) return null
            return (
              <ResultRow
                key={row.id}
                row={row}
                index={index}
                start={start}
                template={template}
                isActive={index === Math.min(active, rows.length - 1)}
                isSelected={isSelected(selection, row.id)}
                onSelect={select}
                onLook={look}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
})

function widthOf(searched: Searched, name: string): string {
  const { width = 120, grows } = COLUMNS[searched][name] ?? {}
  return grows ? `minmax(${width}px, 1fr)` : `${width}px`
}
