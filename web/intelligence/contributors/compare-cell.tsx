import { Badge, Group, Spoiler, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { defangText } from '../../domain/defang-text.ts'
import { pathText } from '../../forms/paths.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { FieldValue } from '../entity/field-values.tsx'
import { type Piece, wordDifferences } from '../entity/word-differences.ts'
import classes from './compare-table.module.css'
import { type ComparedItem, type ComparedRow, cellState } from './comparison.ts'

interface CompareCellProps {
  readonly row: ComparedRow
  readonly column: number
}

const STATES = { same: '', different: 'Different: ', missing: 'Missing: ' } as const

/** The value of one entity, with what distinguishes it from the first column. */
export function CompareCell({ row, column }: CompareCellProps) {
  const state = cellState(row, column)
  return (
    <td data-state={state}>
      <VisuallyHidden>{STATES[state]}</VisuallyHidden>
      <Content row={row} column={column} />
    </td>
  )
}

function Content({ row: { path, values, items }, column }: CompareCellProps) {
  const [base, value] = [values[0], values[column]]
  if (value === undefined)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    )
  if (items) return <Items path={path} items={items} column={column} />
  if (column > 0 && isText(base) && isText(value))
    return (
      <Folded>
        <Words pieces={wordDifferences(base, value)} />
      </Folded>
    )
  return (
    <Folded>
      <FieldValue name={path.split('.').at(-1) ?? path} value={value} />
    </Folded>
  )
}

/** Texts shorter than this are shown as a whole: single different words in them tell nothing. */
const MIN_TEXT_LENGTH = 40

const isText = (value: unknown): value is string => typeof value === 'string' && value.length >= MIN_TEXT_LENGTH

const Folded = ({ children }: { readonly children: ReactNode }) => (
  <Spoiler maxHeight={150} showLabel="Show all" hideLabel="Show less">
    {children}
  </Spoiler>
)

/** A text with the words that the first column does not have. */
const Words = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <span className={classes.text}>
    {pieces.map((piece, i) => {
      if (piece.kind === 'removed') return null
      const key = pathText([i])
      if (piece.kind === 'same') return <span key={key}>{defangText(piece.text)}</span>
      return (
        <ins key={key} className={classes.own}>
          {defangText(piece.text)}
        </ins>
      )
    })}
  </span>
)

interface ItemsProps {
  readonly path: string
  readonly items: readonly ComparedItem[]
  readonly column: number
}

/** The items of a list; those that are not in all columns are highlighted. */
function Items({ path, items, column }: ItemsProps) {
  const own = items.filter(({ isIn }) => isIn[column])
  return (
    <Folded>
      <Group gap={4}>
        {own.map(({ item, isIn }, i) => (
          <Item key={pathText([path, i])} item={item} isShared={isIn.every(Boolean)} />
        ))}
      </Group>
    </Folded>
  )
}

function Item({ item, isShared }: { readonly item: unknown; readonly isShared: boolean }) {
  const className = isShared ? undefined : classes.own
  if (typeof item === 'object' && item !== null)
    return (
      <div className={`${classes.record} ${className ?? ''}`}>
        <FieldValue name="" value={item} />
      </div>
    )
  return (
    <Badge variant="default" radius="xs" tt="none" fw={400} maw="100%" h="auto" {...(className && { className })}>
      <PlainText text={String(item)} />
    </Badge>
  )
}
