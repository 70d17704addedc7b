import { Center, ScrollArea, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { use, useCallback } from 'react'
import type { Widget } from '../api/resources.ts'
import { EntityName, type NamedEntity } from '../intelligence/named-entity.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Moment } from '../ui/moment.tsx'
import { Chart } from './chart.tsx'
import { type Counted, chartInWords, chartOption, type Ink, rowsOf } from './chart-option.ts'
import type { WidgetData } from './widget-queries.ts'
import { WidgetViews } from './widget-views.ts'

interface WidgetViewProps {
  readonly type: Widget['type']
  /** The field to group by. */
  readonly field: string | undefined
  readonly data: UseQueryResult<WidgetData>
}

/** The content of a widget: a number, chart, table or list. */
export function WidgetView({ type, field = '', data: { data, error } }: WidgetViewProps) {
  const View = use(WidgetViews)[type]
  if (error) return <ErrorFaults error={error} />
  if (!data) return <Skeleton h="100%" mih={60} role="status" aria-label="Loading" />
  if (View) return <View data={data} />
  if (type === 'number') return <Figure count={data.total_count} />
  if (type === 'list') return <EntityTable entities={(data.entities ?? []) as unknown as readonly Listed[]} />
  const counted = data as Counted
  if (!counted.aggregations?.some(({ values }) => values.length > 0)) return <Nothing />
  return type === 'table' ? <CountTable counted={counted} field={field} /> : <Drawn {...{ type, counted, field }} />
}

const Nothing = () => (
  <Center h="100%">
    <Text size="sm" c="dimmed">
      No matching entities
    </Text>
  </Center>
)

function Figure({ count }: { readonly count: number }) {
  return (
    <Stack h="100%" justify="center" gap={0}>
      <Text fz={38} fw={650} lh={1.1}>
        {count.toLocaleString('en')}
      </Text>
      <Text size="sm" c="dimmed">
        {count === 1 ? 'entity' : 'entities'}
      </Text>
    </Stack>
  )
}

interface DrawnProps {
  readonly type: string
  readonly counted: Counted
  readonly field: string
}

function Drawn({ type, counted, field }: DrawnProps) {
  const option = useCallback((ink: Ink) => chartOption(type, counted, ink, field), [type, counted, field])
  return <Chart option={option} label={chartInWords(type, counted, field)} />
}

function CountTable({ counted, field }: { readonly counted: Counted; readonly field: string }) {
  const { rows, series } = rowsOf(counted, field)
  return (
    <ScrollArea h="100%" viewportProps={{ tabIndex: 0 }}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            {series.map((name) => (
              <Table.Th key={name} ta="end">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, counts }) => (
            <Table.Tr key={label}>
              <Table.Td>{label}</Table.Td>
              {counts.map((count, i) => (
                <Table.Td key={series[i]} ta="end">
                  {count.toLocaleString('en')}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

type Listed = NamedEntity & { readonly created_at: string }

function EntityTable({ entities }: { readonly entities: readonly Listed[] }) {
  if (entities.length === 0) return <Nothing />
  return (
    <ScrollArea h="100%" viewportProps={{ tabIndex: 0 }}>
      <Table layout="fixed">
        <Table.Tbody>
          {entities.map((entity) => (
            <Table.Tr key={entity.id}>
              <Table.Td>
                <EntityName entity={entity} />
              </Table.Td>
              <Table.Td w={130} c="dimmed">
                <Moment at={entity.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
