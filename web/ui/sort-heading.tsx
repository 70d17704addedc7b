import { Table, type TableThProps, UnstyledButton } from '@mantine/core'
import classes from './sort-heading.module.css'

interface SortHeadingProps extends Omit<TableThProps, 'onClick'> {
  readonly label: string
  readonly direction: 'ascending' | 'descending' | 'none'
  readonly onSort: () => void
}

/** The heading of a column that a click sorts by. */
export const SortHeading = ({ label, title, direction, onSort, ...rest }: SortHeadingProps) => (
  <Table.Th {...rest} aria-sort={direction}>
    <UnstyledButton className={classes.sort ?? ''} onClick={onSort} title={title}>
      {label}
      <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
    </UnstyledButton>
  </Table.Th>
)
