import { Anchor, Checkbox, Paper, Skeleton, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SortHeading } from '../ui/sort-heading.tsx'
import { FieldValue } from './field-value.tsx'
import type { FieldModel } from './fields.ts'
import { isSortable, NAME_COLUMN } from './list-search.ts'
import classes from './list-table.module.css'
import { shortId } from './names.ts'
import { nameOf } from './references.ts'

export type Row = Readonly<Record<string, unknown>> & { readonly id: string | number }

interface ListTableProps {
  readonly label: string
  readonly rows: readonly Row[] | undefined
  readonly shown: readonly FieldModel[]
  readonly columns: readonly string[]
  readonly sort?: string | undefined
  readonly onSort?: (sort: string | undefined) => void
  /** The address of an object's page; absent if it has none. */
  readonly pageOf?: (row: Row) => string
  /** The selected ids; absent if rows cannot be selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
  readonly actions?: (row: Row) => React.ReactNode
}

/** Objects of a collection as rows, with the selected columns. */
export function ListTable(props: ListTableProps) {
  const { label, rows, selected, onSelect, actions } = props
  const columns = columnsOf(props)
  const all = rows?.map(({ id }) => String(id)) ?? []
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={columns.length * 120} type="native">
        <Table aria-label={label} highlightOnHover verticalSpacing={6} className={classes.table ?? ''}>
          <Table.Thead>
            <Table.Tr>
              {selected && onSelect && (
                <Table.Th w={36}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all loaded rows"
                    checked={all.length > 0 && selected.size === all.length}
                    indeterminate={selected.size > 0 && selected.size < all.length}
                    onChange={(event) => onSelect(new Set(event.currentTarget.checked ? all : []))}
                  />
                </Table.Th>
              )}
              {columns.map((field) => (
                <Heading key={field.name} field={field} {...props} />
              ))}
              {actions && <Table.Th aria-label="Actions" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows ? (
              rows.map((row) => <Line key={row.id} row={row} fields={columns} {...props} />)
            ) : (
              <Waiting {...props} />
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

const NAME_FIELD: FieldModel = {
  name: NAME_COLUMN,
  label: 'Name',
  kind: 'json',
  isRequired: false,
  isNullable: false,
  isReadOnly: true,
}

const columnsOf = ({ shown, columns }: ListTableProps): readonly FieldModel[] =>
  columns.flatMap((name) => (name === NAME_COLUMN ? [NAME_FIELD] : (shown.find((field) => field.name === name) ?? [])))

function Heading({ field, sort, onSort }: ListTableProps & { readonly field: FieldModel }) {
  if (!onSort || !isSortable(field)) return <Table.Th>{field.label}</Table.Th>
  const isUp = sort === field.name
  const isDown = sort === `-${field.name}`
  const next = isUp ? `-${field.name}` : isDown ? undefined : field.name
  const direction = isUp ? 'ascending' : isDown ? 'descending' : 'none'
  return (
    <SortHeading
      label={field.label}
      title={field.description ?? ''}
      direction={direction}
      onSort={() => onSort(next)}
    />
  )
}

function Line({
  row,
  fields,
  selected,
  onSelect,
  pageOf,
  actions,
}: ListTableProps & { readonly row: Row; readonly fields: readonly FieldModel[] }) {
  const id = String(row.id)
  const name = nameOf(row) ?? shortId(id)
  const isSelected = selected?.has(id) ?? false
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  return (
    <Table.Tr {...(isSelected && { bg: 'var(--mantine-primary-color-light)' })}>
      {selected && (
        <Table.Td>
          <Checkbox size="xs" aria-label={`Select ${name}`} checked={isSelected} onChange={toggle} />
        </Table.Td>
      )}
      {fields.map((field, index) => (
        <Table.Td key={field.name}>
          <Cell row={row} field={field} to={index === 0 ? pageOf?.(row) : undefined} />
        </Table.Td>
      ))}
      {actions && <Table.Td ta="right">{actions(row)}</Table.Td>}
    </Table.Tr>
  )
}

function Cell({ row, field, to }: { readonly row: Row; readonly field: FieldModel; readonly to: string | undefined }) {
  const isName = field.name === NAME_COLUMN
  if (!to) return <FieldValue field={field} value={isName ? nameOf(row) : row[field.name]} isBrief />
  const isText = ['text', 'long-text', 'choice'].includes(field.kind)
  const text = isName ? nameOf(row) : isText ? row[field.name] : undefined
  // Text cells link to the page; other values are shown unchanged, next to an arrow that links to the page.
  return (
    <>
      {!isName && !isText && <FieldValue field={field} value={row[field.name]} isBrief />}{' '}
      <Anchor component={Link} to={to} inherit fw={500} aria-label={String(text || `Open ${shortId(String(row.id))}`)}>
        {typeof text === 'string' && text !== '' ? (
          <Text component="span" inherit truncate maw={340} display="inline-block" className={classes.name ?? ''}>
            {text}
          </Text>
        ) : isName || isText ? (
          shortId(String(row.id))
        ) : (
          '→'
        )}
      </Anchor>
    </>
  )
}

/** The number of placeholder rows while loading. */
const WAITING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function Waiting(props: ListTableProps) {
  const fields = columnsOf(props)
  return WAITING.map((key) => (
    <Table.Tr key={key} aria-hidden="true">
      {props.selected && <Table.Td />}
      {fields.map(({ name }) => (
        <Table.Td key={name}>
          <Skeleton height={14} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}
