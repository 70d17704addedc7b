import { Alert, Badge, Button, Group, List, Paper, Stack, Switch, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrialReport } from '../../server/feeds/incoming/trials/trial-report.ts'
import { call } from '../api/call.ts'
import { idOf } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { defangText } from '../domain/defang-text.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { sizeOf } from './durations.ts'

/** A dry run of a feed: fetches content without storing anything, and shows what would be imported. */
export function Trial({ id }: { readonly id: number }) {
  const may = useMay()
  const [isFromStart, setIsFromStart] = useState(false)
  const [ended, setEnded] = useState('')
  const started = useMutation({
    mutationFn: async () => {
      const path = `incoming-feeds/${id}/test${isFromStart ? '?from_start=true' : ''}`
      return (await call<{ data: { task_run: string; report: string } }>('POST', path, { data: {} })).data
    },
  })
  const run = started.data ? idOf(started.data.task_run) : ''
  const report = useQuery({
    queryKey: ['incoming-feeds/tests', run],
    queryFn: async ({ signal }) =>
      (await call<{ data: TrialReport }>('GET', `incoming-feeds/tests/${run}`, undefined, signal)).data,
    enabled: run !== '' && ended === run,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!may('modify incoming-feeds')) return <NoPermission permission="modify incoming-feeds" />
  return (
    <Stack>
      <Group>
        <Button loading={started.isPending} onClick={() => started.mutate()}>
          Test feed
        </Button>
        <Switch
          label="Start from the beginning, including content fetched before"
          checked={isFromStart}
          onChange={({ currentTarget }) => setIsFromStart(currentTarget.checked)}
        />
      </Group>
      {!started.data && (
        <Text size="sm" c="dimmed">
          Fetches up to 20 blobs and shows what would be imported, and what would be skipped and why. Nothing is stored.
        </Text>
      )}
      <ErrorFaults error={started.error ?? report.error} />
      {run !== '' && (
        <Paper withBorder p="md">
          <RunProgress key={run} run={run} onEnded={() => setEnded(run)} />
        </Paper>
      )}
      {report.data && <Report report={report.data} />}
    </Stack>
  )
}

function Report({ report }: { readonly report: TrialReport }) {
  return (
    <Stack>
      {report.fault && (
        <Alert color="red" title="Some content could not be fetched">
          {report.fault.message}
        </Alert>
      )}
      {report.bounds.length > 0 && <Alert color="yellow">{report.bounds.join(' ')}</Alert>}
      <Card
        title="Fetched blobs"
        description={
          report.is_whole ? 'All available content was tested.' : 'Only part of the available content was tested.'
        }
      >
        <Pieces pieces={report.pieces} />
      </Card>
      {report.entities.length > 0 && (
        <Card title="Entities to be imported" description={countsIn(report.counts.entity)}>
          <Table>
            <Table.Tbody>
              {report.entities.map(({ title, type, outcome, place }) => (
                <Table.Tr key={`${place} ${title}`}>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <EntityIcon type={type} isDecoration />
                      {defangText(title)}
                    </Group>
                  </Table.Td>
                  <Table.Td>{entityTypeName(type)}</Table.Td>
                  <Table.Td>{outcome}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
      {report.observables.length > 0 && (
        <Card title="Observables to be imported" description={countsIn(report.counts.observable)}>
          <Table>
            <Table.Tbody>
              {report.observables.map(({ type, value, is_new }) => (
                <Table.Tr key={`${type} ${value}`}>
                  <Table.Td>
                    <Indicator type={type} value={value} />
                  </Table.Td>
                  <Table.Td>{type}</Table.Td>
                  <Table.Td>{is_new ? 'New' : 'Known'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
      <Excluded excluded={report.excluded} />
      {report.losses.length > 0 && (
        <Card title="Losses and errors">
          <List size="sm">
            {report.losses.map(({ piece, place, kind, outcome, details }) => (
              <List.Item key={`${piece} ${place} ${kind}`}>
                {kind} {outcome} at {place}: {details.join(' ')}
              </List.Item>
            ))}
          </List>
        </Card>
      )}
    </Stack>
  )
}

const countsIn = (counts: Readonly<Record<string, number>> = {}): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`)
    .join(', ')

function Pieces({ pieces }: Pick<TrialReport, 'pieces'>) {
  if (pieces.length === 0) return <Text size="sm">No new content.</Text>
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Format</Table.Th>
          <Table.Th ta="end">Size</Table.Th>
          <Table.Th ta="end">Objects</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {pieces.map(({ name, format, size, objects, is_known, reason }) => (
          <Table.Tr key={name}>
            <Table.Td className="code">
              {name} {is_known && <Badge variant="default">Known</Badge>}
              {reason && (
                <Text size="xs" c="red">
                  {reason}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{format ?? 'Not recognised'}</Table.Td>
            <Table.Td ta="end">{sizeOf(size)}</Table.Td>
            <Table.Td ta="end">{objects}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Observables that exclusion lists keep out, by list. */
function Excluded({ excluded }: Pick<TrialReport, 'excluded'>) {
  if (excluded.length === 0) return null
  return (
    <Card title="Skipped by exclusion lists">
      {excluded.map(({ list, count, observables }) => (
        <div key={list}>
          <Text size="sm" fw={600}>
            {list}: {count.toLocaleString('en')}
          </Text>
          <Group gap="md" mt={4}>
            {observables.map(({ type, value }) => (
              <Indicator key={`${type} ${value}`} type={type} value={value} canCopy={false} />
            ))}
          </Group>
        </div>
      ))}
    </Card>
  )
}
