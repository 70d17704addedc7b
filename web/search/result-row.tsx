import type { Row as TableRow } from '@tanstack/react-table'
import { FlexRender } from '@tanstack/react-table'
import { type MouseEvent, memo } from 'react'
import classes from './search.module.css'
import type { Row } from './search-queries.ts'

interface ResultRowProps {
  // biome-ignore lint/complexity/noBannedTypes: only the core of the table is used
  readonly row: TableRow<{}, Row>
  readonly index: number
  /** The position in pixels from the top. */
  readonly start: number
  readonly template: string
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onSelect: (index: number, isRange: boolean) => void
  readonly onLook: (index: number) => void
}

/** A result row; clicking it opens the preview, and its title links to its page. */
export const ResultRow = memo(function ResultRow({
  row,
  index,
  start,
  template,
  isActive,
  isSelected,
  onSelect,
  onLook,
}: ResultRowProps) {
  const onClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, input, button')) return
    if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(index, event.shiftKey)
    else onLook(index)
  }
  return (
    <tr
      className={classes.row}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
      onClick={onClick}
    >
      <td className={classes.cell}>
        <input
          type="checkbox"
          className={classes.tick}
          aria-label={`Select row ${index + 1}`}
          tabIndex={-1}
          checked={isSelected}
          onClick={(event) => onSelect(index, event.shiftKey)}
          readOnly
        />
      </td>
      {row.getAllCells().map((cell) => (
        <td key={cell.id} className={classes.cell}>
          <FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  )
})
