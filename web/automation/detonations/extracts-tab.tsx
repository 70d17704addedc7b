import { Badge, Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { idOf, listQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { useFirstRows } from '../../attack/show-more.tsx'
import { defang, observableTypeName } from '../../domain/observables.ts'
import { Indicator } from '../../ui/indicator.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { detonatorQuery } from '../detonators/detonator-queries.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import type { Detonation } from './detonation-queries.ts'
import { CLASSIFICATION_WORDS, type ExtractRow, type KnownObservable, rowsIn, rowsOf, VIEWS } from './extracts.ts'

/** The most observables of a report. */
const MAX_EXTRACTS = 2_000

/** The observables that a report yields. The user accepts those that matter. */
export function ExtractsTab({ detonation }: { readonly detonation: Detonation }) {
  const may = useMay()
  const { entity, extracts, detonator } = detonation
  const canMatch = may('read extracts') && entity !== null
  const known = useQuery({
    ...listQuery<KnownObservable>('observables', {
      'filter[entities]': entity === null ? '' : idOf(entity),
      attributes: 'id,type,value,sources',
      limit: MAX_EXTRACTS,
    }),
    enabled: canMatch,
  })
  const owner = useQuery({ ...detonatorQuery(idOf(detonator)), enabled: may('read detonators') })
  if (extracts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The report yields no observables.
      </Text>
    )
  if (canMatch && known.isPending) return <Skeleton h={200} role="status" aria-label="Loading observables" />
  return (
    <>
      <LoadFault query={known} />
      <Extracts detonation={detonation} rows={rowsOf(extracts, known.data?.data ?? [], owner.data?.source)} />
    </>
  )
}

interface ExtractsProps {
  readonly detonation: Detonation
  readonly rows: readonly ExtractRow[]
}

function Extracts({ detonation, rows }: ExtractsProps) {
  const mayAccept = useMay()('modify extracts')
  const [view, setView] = useState('all')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAccepting, setIsAccepting] = useState(false)
  const shown = rowsIn(view, rows)
  const chosen = shown.filter(({ key }) => selected.has(key))
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Observables to show"
          data={VIEWS.map(({ value, label }) => ({
            value,
            label: `${label} (${rowsIn(value, rows).length.toLocaleString('en')})`,
          }))}
          value={view}
          onChange={setView}
        />
        {mayAccept && (
          <Button disabled={chosen.length === 0} onClick={() => setIsAccepting(true)}>
            {chosen.length === 0
              ? 'Accept observables'
              : `Accept ${chosen.length.toLocaleString('en')} ${chosen.length === 1 ? 'observable' : 'observables'}`}
          </Button>
        )}
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          No observables in this view.
        </Text>
      ) : (
        <ExtractTable key={view} rows={shown} {...(mayAccept && { selected, onSelect: setSelected })} />
      )}
      {isAccepting && (
        <AcceptDialog
          detonation={detonation}
          extracts={chosen.map(({ extract }) => extract)}
          onClose={() => setIsAccepting(false)}
          onAccepted={() => setSelected(new Set())}
        />
      )}
    </Stack>
  )
}

interface ExtractTableProps {
  readonly rows: readonly ExtractRow[]
  /** The keys of the selected rows, if rows can be selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
}

function ExtractTable({ rows, selected, onSelect }: ExtractTableProps) {
  const { shown, more } = useFirstRows(rows)
  const count = rows.filter(({ key }) => selected?.has(key)).length
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onSelect?.(next)
  }
  return (
    <Stack gap="xs">
      <TableFrame minWidth={720}>
        <Table aria-label="Extracted observables">
          <Table.Thead>
            <Table.Tr>
              {selected && (
                <Table.Th w={36}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all observables"
                    checked={count === rows.length}
                    indeterminate={count > 0 && count < rows.length}
                    onChange={({ currentTarget }) =>
                      onSelect?.(new Set(currentTarget.checked ? rows.map(({ key }) => key) : []))
                    }
                  />
                </Table.Th>
              )}
              <Table.Th w={130}>Type</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th w={120}>Classification</Table.Th>
              <Table.Th w={110}>Confidence</Table.Th>
              <Table.Th w={110}>Relation</Table.Th>
              <Table.Th w={90}>Known</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Row key={row.key} row={row} {...(selected && { isSelected: selected.has(row.key), onToggle: toggle })} />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

interface RowProps {
  readonly row: ExtractRow
  readonly isSelected?: boolean
  readonly onToggle?: (key: string) => void
}

function Row({ row: { key, extract, observable, isKnown }, isSelected, onToggle }: RowProps) {
  const { kind, value, classification, confidence, link_type } = extract
  const { label, color } = CLASSIFICATION_WORDS[classification]
  const shown = <Indicator type={kind} value={value} canCopy={observable === undefined} />
  return (
    <Table.Tr>
      {onToggle && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Select ${observableTypeName(kind)} ${defang(kind, value)}`}
            checked={isSelected ?? false}
            onChange={() => onToggle(key)}
          />
        </Table.Td>
      )}
      <Table.Td>{observableTypeName(kind)}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {observable === undefined ? shown : <PageLink to={`/observables/${observable}`}>{shown}</PageLink>}
      </Table.Td>
      <Table.Td>
        <Badge variant="light" radius="xs" color={color}>
          {label}
        </Badge>
      </Table.Td>
      <Table.Td tt="capitalize">{confidence}</Table.Td>
      <Table.Td>{link_type ?? '–'}</Table.Td>
      <Table.Td>
        {isKnown ? (
          <Badge variant="default" radius="xs">
            Known
          </Badge>
        ) : (
          <Text size="xs" c="dimmed">
            New
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
