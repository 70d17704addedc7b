import { Alert, Checkbox, Group, Table, Text } from '@mantine/core'
import type { Enricher } from '../../api/resources.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import type { EnricherForecast } from '../enrichers/enricher-queries.ts'
import { EnricherState } from '../enrichers/enricher-state.tsx'
import { daysText } from '../enrichers/quota.ts'
import { QuotaBars } from '../enrichers/quota-bars.tsx'
import { totalOf } from './enrich-target.ts'

interface ForecastTableProps {
  readonly forecast: readonly EnricherForecast[]
  readonly states?: ReadonlyMap<number, Enricher>
  /** The chosen enrichers; without them, the table only shows the forecast. */
  readonly chosen?: ReadonlySet<number>
  /** Only the numbers of look-ups, for narrow places. */
  readonly isCompact?: boolean
  readonly onChoose?: (chosen: ReadonlySet<number>) => void
}

const count = (number: number): string => number.toLocaleString('en')

/** What each enricher would do, to choose among them. */
export function ForecastTable({ forecast, states, chosen, isCompact = false, onChoose }: ForecastTableProps) {
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose?.(next)
  }
  return (
    <TableFrame minWidth={isCompact ? 360 : 780}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Enricher</Table.Th>
            <Table.Th ta="end">Look-ups</Table.Th>
            <Table.Th ta="end">Reused</Table.Th>
            <Table.Th ta="end">Not allowed</Table.Th>
            {!isCompact && (
              <>
                <Table.Th ta="end">Calls</Table.Th>
                <Table.Th ta="end">Cost</Table.Th>
                <Table.Th>Time</Table.Th>
                <Table.Th w={210}>Calls left</Table.Th>
              </>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {forecast.map((each) => {
            const enricher = states?.get(each.enricher)
            return (
              <Table.Tr key={each.enricher}>
                <Table.Td>
                  <Group gap={6}>
                    {chosen ? (
                      <Checkbox
                        label={each.name}
                        checked={chosen.has(each.enricher)}
                        onChange={() => toggle(each.enricher)}
                      />
                    ) : (
                      each.name
                    )}
                    {enricher && enricher.state !== 'ACTIVE' && <EnricherState enricher={enricher} />}
                  </Group>
                </Table.Td>
                <Table.Td ta="end">{count(each.look_ups)}</Table.Td>
                <Table.Td ta="end">{count(each.cached)}</Table.Td>
                <Table.Td ta="end" title="On an exclusion list, or above the maximum TLP">
                  {count(each.skipped)}
                </Table.Td>
                {!isCompact && <CallCells forecast={each} />}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

const CallCells = ({ forecast }: { readonly forecast: EnricherForecast }) => (
  <>
    <Table.Td ta="end">{count(forecast.calls)}</Table.Td>
    <Table.Td ta="end">{forecast.cost === null ? '–' : count(forecast.cost)}</Table.Td>
    <Table.Td style={{ whiteSpace: 'nowrap' }}>
      {forecast.look_ups === 0 || forecast.days === null ? '–' : daysText(forecast.days)}
    </Table.Td>
    <Table.Td>
      <QuotaBars quota={forecast.quota} />
    </Table.Td>
  </>
)

interface ForecastTotalsProps {
  readonly forecast: readonly EnricherForecast[]
  readonly chosen: ReadonlySet<number>
}

/** What the chosen enrichers take together, with a warning if limits are not enough. */
export function ForecastTotals({ forecast, chosen }: ForecastTotalsProps) {
  const { lookUps, calls, cached, cost, days, short } = totalOf(forecast, chosen)
  const parts = [
    `${count(lookUps)} ${lookUps === 1 ? 'look-up' : 'look-ups'}`,
    `at most ${count(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    `${count(cached)} reused`,
    ...(cost === null ? [] : [`cost ${count(cost)}`]),
    ...(days === null || lookUps === 0 ? [] : [`takes ${daysText(days).toLowerCase()} at the limits`]),
  ]
  return (
    <>
      {short.length > 0 && (
        <Alert color="yellow" variant="light" title="Not enough calls left">
          {short.join(', ')}: the run ends when the limit is reached, and says how many look-ups were not done.
        </Alert>
      )}
      <Text size="sm" fw={600} role="status">
        {parts.join(' · ')}
      </Text>
    </>
  )
}
