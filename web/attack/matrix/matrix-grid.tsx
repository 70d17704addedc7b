import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import type { Cell, Column } from './columns.ts'
import { cellAt, type Step, stepFor } from './grid-keys.ts'
import classes from './matrix-grid.module.css'
import { useGradual } from './use-gradual.ts'

/** What a user can do with a cell. */
export interface CellActions {
  /** Enter; a click and the space bar as well, unless they toggle. */
  readonly onOpen: (id: string) => void
  readonly onToggle?: ((id: string) => void) | undefined
  readonly onFold: (id: string) => void
}

interface MatrixGridProps extends CellActions {
  readonly label: string
  readonly columns: readonly Column[]
  /** The cell whose details are open. */
  readonly chosen: string
}

/**
 * The cells of a matrix. A column on screen is a row of the grid for screen readers: only its tactic and its techniques belong together. There can be
 * a thousand cells, so each is a few plain elements without listeners, and the columns are drawn one after the other.
 */
export function MatrixGrid({ label, columns, chosen, onOpen, onToggle = onOpen, onFold }: MatrixGridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const { drawn, isDone } = useGradual(columns)
  const most = useMemo(() => 1 + Math.max(0, ...columns.map(({ cells }) => cells.length)), [columns])
  useTabStop(grid, chosen)
  // Until all cells are there, they are elsewhere.
  useInSight(grid, isDone ? chosen : undefined)

  const act = (event: MouseEvent | KeyboardEvent, does: (id: string) => void) => {
    const id = idAt(event.target)
    if (id !== undefined) does(id)
  }
  const onClick = (event: MouseEvent) => {
    const isFold = event.target instanceof Element && event.target.closest('[data-fold]') !== null
    act(event, isFold ? onFold : onToggle)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = stepFor(event.key)
    if (step) move(event, step)
    else if (event.key === 'Enter') act(event, onOpen)
    else if (event.key === ' ') act(event, onToggle)
    else if (event.key === '+' || event.key === '-') fold(event)
    else return
    event.preventDefault()
  }
  const move = ({ target }: KeyboardEvent, step: Step) => {
    const next = cellAt(columns, idAt(target), step)
    if (next !== undefined) focusCell(grid.current, next)
  }
  const fold = (event: KeyboardEvent) => {
    const id = idAt(event.target)
    const cell = columns.flatMap(({ cells }) => cells).find(({ place }) => place.id === id)
    if (id !== undefined && cell?.isOpen === (event.key === '-')) onFold(id)
  }

  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a grid whose cells are reached with arrow keys
      role="grid"
      tabIndex={-1}
      className={`${classes.colours} ${classes.grid}`}
      aria-label={label}
      aria-rowcount={columns.length}
      aria-colcount={most}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <tbody>
        {drawn.map((column, i) => (
          <TacticColumn
            key={column.tactic.id}
            column={column}
            index={i + 1}
            chosen={holds(column, chosen) ? chosen : ''}
          />
        ))}
      </tbody>
    </table>
  )
}

const holds = ({ cells }: Column, id: string) => id !== '' && cells.some(({ place }) => place.id === id)

interface TacticColumnProps {
  readonly column: Column
  readonly index: number
  readonly chosen: string
}

const TacticColumn = memo(function TacticColumn({ column, index, chosen }: TacticColumnProps) {
  const { tactic, cells, used, count } = column
  return (
    <tr className={classes.column} aria-rowindex={index}>
      <th scope="row" className={classes.head}>
        <span className={classes.tactic}>{tactic.name}</span>
        <span className={classes.used}>
          {used} of {count} used
        </span>
      </th>
      {cells.map((cell) => (
        <GridCell key={cell.place.id} cell={cell} isChosen={cell.place.id === chosen} />
      ))}
    </tr>
  )
})

interface GridCellProps {
  readonly cell: Cell
  readonly isChosen: boolean
}

/** Numbers are drawn from attributes: the label of the cell says them in words, and a name has to begin with the text that is seen. */
const GridCell = memo(function GridCell({ cell: { place, face, isOpen }, isChosen }: GridCellProps) {
  const { level, gapLevel, shareLevel, mark, text, label } = face
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
      role="gridcell"
      tabIndex={-1}
      className={classes.cell}
      data-node={place.id}
      data-level={level}
      data-gap={gapLevel || undefined}
      data-share={shareLevel || undefined}
      data-mark={mark || undefined}
      data-sub={place.parent === null ? undefined : ''}
      data-chosen={isChosen ? '' : undefined}
      aria-label={`${place.externalId} ${place.name}, ${label}`}
      aria-expanded={isOpen}
      aria-selected={mark === 'on' || undefined}
      title={`${place.externalId} ${place.name}, ${label}`}
    >
      <span className={classes.name}>{place.name}</span>
      {text !== '' && <span className={classes.number} data-text={text} />}
      {isOpen !== undefined && (
        <span className={classes.fold} data-fold data-text={isOpen ? '−' : `+${place.subs.length}`} />
      )}
    </td>
  )
})

const idAt = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined

const cellOf = (grid: HTMLElement | null, id: string): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`) ?? null

function focusCell(grid: HTMLElement | null, id: string): void {
  const cell = cellOf(grid, id)
  if (!grid || !cell) return
  for (const before of grid.querySelectorAll<HTMLElement>('[data-node][tabindex="0"]')) before.tabIndex = -1
  cell.tabIndex = 0
  cell.focus()
}

/** Keeps exactly one cell in the tab order: the one that was focused last, or else the first. Set on the elements, because a focus must not draw a thousand cells. */
function useTabStop(ref: RefObject<HTMLElement | null>, chosen: string): void {
  useLayoutEffect(() => {
    const grid = ref.current
    if (!grid || grid.querySelector('[data-node][tabindex="0"]')) return
    const cell = cellOf(grid, chosen) ?? grid.querySelector<HTMLElement>('[data-node]')
    if (cell) cell.tabIndex = 0
  })
}

/** Scrolls to a cell when its details are opened, once it is drawn: the link to it may come from another page, and the details take room. */
function useInSight(ref: RefObject<HTMLElement | null>, chosen: string | undefined): void {
  const seen = useRef('')
  useEffect(() => {
    if (chosen === undefined || chosen === seen.current) return
    const cell = cellOf(ref.current, chosen)
    if (chosen !== '' && !cell) return
    seen.current = chosen
    if (cell) reveal(cell)
  })
}

/** The height of the tactics, which stay above the cells. */
const HEAD_PX = 64

/** Scrolls the frame of the matrix alone: on phones, the details cover the page, which must not move below them. */
function reveal(cell: HTMLElement): void {
  const frame = cell.closest('[role=grid]')?.parentElement
  if (!frame) return
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
  const isAcross = inner.left >= outer.left && inner.right <= outer.right
  const isDown = inner.top >= outer.top + HEAD_PX && inner.bottom <= outer.bottom
  frame.scrollBy({
    left: isAcross ? 0 : (inner.left + inner.right - outer.left - outer.right) / 2,
    top: isDown ? 0 : (inner.top + inner.bottom - outer.top - outer.bottom) / 2,
  })
}
