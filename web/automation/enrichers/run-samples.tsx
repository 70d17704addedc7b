import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { type OutcomeSample, sampleState } from './run-outcome.ts'

/** Look-ups of a run without a result, with their reasons. */
export function RunSamples({ samples }: { readonly samples: readonly OutcomeSample[] }) {
  const may = useMay()
  const names = useNames('enrichers')
  const ids = [...new Set(samples.map(({ observable }) => observable))]
  const { data } = useQuery({
    ...listQuery<Pick<Observable, 'id' | 'display_value'>>('observables', {
      'filter[id]': ids,
      attributes: 'id,display_value',
      limit: 100,
    }),
    enabled: may('read extracts'),
  })
  const values = new Map((data?.data ?? []).map(({ id, display_value }) => [id, display_value]))
  return (
    <Table verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Observable</Table.Th>
          <Table.Th>Enricher</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Reason</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {samples.map(({ enricher, observable, state, reason }) => (
          <Table.Tr key={`${enricher} ${observable}`}>
            <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }}>
              <PageLink to={`/observables/${observable}`} className="code">
                {values.get(observable) ?? `Observable ${observable}`}
              </PageLink>
            </Table.Td>
            <Table.Td>{nameOf(names, `enrichers/${enricher}`)}</Table.Td>
            <Table.Td>{sampleState(state)}</Table.Td>
            <Table.Td>
              <Text size="sm">{defangText(reason ?? '')}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
