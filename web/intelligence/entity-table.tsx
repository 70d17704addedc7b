import { Badge, Checkbox, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { endlessQuery, type Parameters } from '../api/lists.ts'
import { defangText } from '../domain/defang-text.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { TlpBadge, WithdrawnBadge } from '../ui/badges.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { Moment } from '../ui/moment.tsx'
import { EntityName, NAMED_ATTRIBUTES, type NamedEntity } from './named-entity.tsx'

interface Row extends NamedEntity {
  readonly meta: NamedEntity['meta'] & { readonly tags?: readonly string[] }
  readonly last_updated_at: string
}

interface EntityTableProps {
  readonly label: string
  /** Query parameters of the entity list. */
  readonly parameters: Parameters
  /** Shown when there are no entities. */
  readonly empty: ReactNode
  /** Ids of the selected rows, if rows can be selected. */
  readonly selection?: Selection
}

interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}

const ROW_HEIGHT = 37
const PAGE_SIZE = 100
const PREFETCH_ROWS = 20
const TAGS_SHOWN = 3

/** A virtual table of entities that loads further pages while it is scrolled. */
export function EntityTable({ label, parameters, empty, selection }: EntityTableProps) {
  const list = useInfiniteQuery(
    endlessQuery<Row>('entities', { attributes: `${NAMED_ATTRIBUTES},meta.tags`, limit: PAGE_SIZE, ...parameters }),
  )
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (list.error) return <ErrorFaults error={list.error} />
  if (list.isPending) return <Skeleton h={240} role="status" aria-label={`Loading ${inSentence(label)}`} />
  if (rows.length === 0) return empty
  const total = list.data?.pages[0]?.total_count ?? rows.length
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {total.toLocaleString('en')} {total === 1 ? 'entity' : 'entities'}
      </Text>
      <Rows
        label={label}
        rows={rows}
        total={total}
        selection={selection}
        onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
      />
    </Stack>
  )
}

interface RowsProps {
  readonly label: string
  readonly rows: readonly Row[]
  readonly total: number
  readonly selection: Selection | undefined
  readonly onEnd: () => void
}

function Rows({ label, rows, total, selection, onEnd }: RowsProps) {
  const viewport = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - PREFETCH_ROWS) onEnd()
  }, [last, rows.length, onEnd])
  const before = shown[0]?.start ?? 0
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <Paper withBorder ref={viewport} style={{ maxHeight: '60vh', overflow: 'auto' }} tabIndex={-1}>
      <Table aria-label={label} aria-rowcount={total + 1} stickyHeader highlightOnHover miw={640} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            {selection && <Table.Th w={40} aria-label="Selected" />}
            <Table.Th>Title</Table.Th>
            <Table.Th w={150}>Type</Table.Th>
            <Table.Th w={150}>TLP</Table.Th>
            <Table.Th w={220}>Tags</Table.Th>
            <Table.Th w={150}>Last updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Space height={before} />
          {shown.map(({ index }) => {
            const row = rows[index]
            return row && <EntityRow key={row.id} row={row} position={index + 2} selection={selection} />
          })}
          <Space height={after} />
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

/** Fills the space of rows that are not rendered. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 && (
    <tr>
      <td style={{ height, padding: 0 }} />
    </tr>
  )

interface EntityRowProps {
  readonly row: Row
  readonly position: number
  readonly selection: Selection | undefined
}

function EntityRow({ row, position, selection }: EntityRowProps) {
  const tags = row.meta.tags ?? []
  const toggle = ({ ids, onChange }: Selection) => {
    const next = new Set(ids)
    if (!next.delete(row.id)) next.add(row.id)
    onChange(next)
  }
  return (
    <Table.Tr h={ROW_HEIGHT} aria-rowindex={position}>
      {selection && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Select ${entityTitle(row)}`}
            checked={selection.ids.has(row.id)}
            onChange={() => toggle(selection)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <EntityName entity={row} />
        {row.meta.is_withdrawn === true && <WithdrawnBadge />}
      </Table.Td>
      <Table.Td>{entityTypeName(row.data.type)}</Table.Td>
      <Table.Td>
        <TlpBadge tlp={row.meta.tlp_color} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" style={{ overflow: 'hidden' }}>
          {tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Badge key={tag} variant="default" size="sm" radius="xs" tt="none">
              {defangText(tag)}
            </Badge>
          ))}
          {tags.length > TAGS_SHOWN && <Text size="xs">+{tags.length - TAGS_SHOWN}</Text>}
        </Group>
      </Table.Td>
      <Table.Td>
        <Moment at={row.last_updated_at} />
      </Table.Td>
    </Table.Tr>
  )
}
