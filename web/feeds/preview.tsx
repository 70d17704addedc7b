import { Button, Code, Group, List, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { idOf } from '../api/lists.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { defangText } from '../domain/defang-text.ts'
import { Card } from '../ui/card.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { sizeOf } from './durations.ts'

interface Report {
  readonly entities: number
  readonly relationships: number
  readonly has_block: boolean
  readonly items: number
  readonly differences: Readonly<Record<string, number>> | null
  readonly size: number
  readonly content: string
  readonly losses_count: number
  readonly losses: readonly { readonly id?: string; readonly loss?: string }[]
}

/** Shows the next block of a feed without storing or sending anything. */
export function Preview({ id }: { readonly id: number }) {
  const [ended, setEnded] = useState('')
  const started = useMutation({
    mutationFn: async () => (await call<{ data: { task_run: string } }>('POST', `outgoing-feeds/${id}/preview`)).data,
  })
  const run = started.data ? idOf(started.data.task_run) : ''
  const report = useQuery({
    queryKey: [`outgoing-feeds/${id}/previews`, run],
    queryFn: async ({ signal }) =>
      (await call<{ data: Report }>('GET', `outgoing-feeds/${id}/previews/${run}`, undefined, signal)).data,
    enabled: run !== '' && ended === run,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Stack>
      <Group>
        <Button loading={started.isPending} onClick={() => started.mutate()}>
          Preview next block
        </Button>
        <Text size="sm" c="dimmed">
          Nothing is stored or sent. Addresses are defanged in this preview only.
        </Text>
      </Group>
      <ErrorFaults error={started.error ?? report.error} />
      {run !== '' && (
        <Paper withBorder p="md">
          <RunProgress key={run} run={run} onEnded={() => setEnded(run)} />
        </Paper>
      )}
      {report.data && <Shown report={report.data} />}
    </Stack>
  )
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

function Shown({ report }: { readonly report: Report }) {
  const { has_block, items, entities, relationships, size, content, losses, losses_count, differences } = report
  if (!has_block) return <Text>Nothing has changed since the last block, so no new block would be created.</Text>
  const changes = Object.entries(differences ?? {}).filter(([, count]) => count > 0)
  return (
    <>
      <Card
        title={`${counted(items, 'item', 'items')}, ${sizeOf(size)}`}
        description={[
          `${counted(entities, 'entity', 'entities')} and ${counted(relationships, 'relationship', 'relationships')} in the feed`,
          ...changes.map(([name, count]) => `${count.toLocaleString('en')} ${name}`),
        ].join(' · ')}
      >
        <Code block mah={360} style={{ overflow: 'auto' }} tabIndex={0}>
          {defangText(content)}
        </Code>
      </Card>
      {losses_count > 0 && (
        <Card
          title={counted(losses_count, 'loss', 'losses')}
          description="Information that the format cannot represent."
        >
          <List size="sm">
            {losses.slice(0, 20).map(({ id, loss }) => (
              <List.Item key={`${id} ${loss}`}>{loss}</List.Item>
            ))}
          </List>
        </Card>
      )}
    </>
  )
}
