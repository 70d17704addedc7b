import { Button, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Parameters } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { channelOf, type Gain, gainInWords, gainsQuery, logSourceName } from '../gaps/gap.ts'
import { MeasureBar } from '../gaps/measure-bar.tsx'
import { ScopeBar, useScope } from '../scope-bar.tsx'
import { writeLogSources } from './log-source.ts'

/** How many log sources are ranked. */
const LIMIT = 50

/** What collecting each log source would open, weighted by the threat of the techniques. */
export function Gains() {
  const canRead = useMay()('read entities')
  const { scope, analysis, parameters, set } = useScope()
  if (!canRead) return <NoPermission permission="read entities" />
  return (
    <Stack gap="sm">
      <ScopeBar scope={scope} matrix={String(parameters?.matrix ?? scope.matrix)} onChange={set} />
      <LoadFault query={analysis} />
      {parameters && <Ranking parameters={parameters} />}
    </Stack>
  )
}

function Ranking({ parameters }: { readonly parameters: Parameters }) {
  const gains = useQuery(gainsQuery(parameters, LIMIT))
  if (gains.error) return <LoadFault query={gains} />
  if (!gains.data) return <Skeleton h={320} role="status" aria-label="Loading log sources" />
  const [best] = gains.data
  if (!best)
    return (
      <EmptyState title="Nothing to open">
        Collecting one more log source would not make another analytic possible. Analytics that need several log sources
        open when the last of them is collected.
      </EmptyState>
    )
  const largest = Math.max(...gains.data.map(({ threat }) => threat))
  return (
    <>
      <Text size="sm" c="dimmed">
        Collecting{' '}
        <Text component="span" inherit fw={600} className="code">
          {logSourceName(best.log_source)}
        </Text>{' '}
        opens {gainInWords(best)}. The threat is that of all techniques that would become detectable, as a share of the
        largest.
      </Text>
      <GainTable gains={gains.data} largest={largest} />
      {gains.data.length === LIMIT && (
        <Text size="xs" c="dimmed">
          The first {LIMIT} log sources.
        </Text>
      )}
    </>
  )
}

interface GainTableProps {
  readonly gains: readonly Gain[]
  readonly largest: number
}

function GainTable({ gains, largest }: GainTableProps) {
  const mayChange = useMay()('modify attack')
  const marked = useMutation({
    mutationFn: ({ log_source }: Gain) => writeLogSources([log_source], { is_collected: true }),
    onSuccess: (_, { log_source }) =>
      showToast(`${logSourceName(log_source)} is collected`, () =>
        writeLogSources([log_source], { is_collected: false }),
      ),
    onError: showErrorToast,
  })
  return (
    <TableFrame minWidth={760}>
      <Table aria-label="What to collect next">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44} ta="right">
              #
            </Table.Th>
            <Table.Th>Log source</Table.Th>
            <Table.Th w={90} ta="right">
              Analytics
            </Table.Th>
            <Table.Th w={100} ta="right">
              Techniques
            </Table.Th>
            <Table.Th w={180}>Threat</Table.Th>
            {mayChange && <Table.Th w={160} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {gains.map((gain, i) => (
            <Table.Tr key={gain.log_source.id}>
              <Table.Td ta="right" c="dimmed">
                {i + 1}
              </Table.Td>
              <Table.Td className="code">
                <b>{gain.log_source.name}</b> {channelOf(gain.log_source)}
              </Table.Td>
              <Table.Td ta="right">{gain.analytics.toLocaleString('en')}</Table.Td>
              <Table.Td ta="right">{gain.techniques.toLocaleString('en')}</Table.Td>
              <Table.Td>
                <MeasureBar kind="threat" share={largest === 0 ? 0 : gain.threat / largest} />
              </Table.Td>
              {mayChange && (
                <Table.Td>
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={marked.isPending}
                    aria-label={`Mark as collected: ${logSourceName(gain.log_source)}`}
                    onClick={() => marked.mutate(gain)}
                  >
                    Mark as collected
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
