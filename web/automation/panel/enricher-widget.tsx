import { Center, ScrollArea, Table, Text } from '@mantine/core'
import type { WidgetData } from '../../analytics/widget-queries.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { EnricherState } from '../enrichers/enricher-state.tsx'
import { QuotaBars } from '../enrichers/quota-bars.tsx'
import { byUrgency } from './urgency.ts'

/** What is left of the limits of enrichers, and how many look-ups failed; those with problems first. */
export function EnricherWidget({ data: { enrichers = [] } }: { readonly data: WidgetData }) {
  if (enrichers.length === 0)
    return (
      <Center h="100%">
        <PageLink to="/enrichers">Set up an enricher</PageLink>
      </Center>
    )
  return (
    <ScrollArea h="100%" viewportProps={{ tabIndex: 0 }}>
      <Table stickyHeader verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Enricher</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="end">Queue</Table.Th>
            <Table.Th ta="end">Failed</Table.Th>
            <Table.Th w={180}>Calls left</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {byUrgency(enrichers).map((enricher) => (
            <Table.Tr key={enricher.id}>
              <Table.Td>
                <PageLink to={`/enrichers/${enricher.id}`}>{enricher.name}</PageLink>
              </Table.Td>
              <Table.Td>
                <EnricherState enricher={enricher} />
              </Table.Td>
              <Table.Td ta="end">{enricher.waiting_count.toLocaleString('en')}</Table.Td>
              <Table.Td ta="end">
                <Text size="sm" component="span" {...(enricher.failed_count > 0 && { c: 'red', fw: 600 })}>
                  {enricher.failed_count.toLocaleString('en')}
                </Text>
              </Table.Td>
              <Table.Td>
                <QuotaBars quota={enricher.quota} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
