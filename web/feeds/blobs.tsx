import { Anchor, Button, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { endlessQuery } from '../api/lists.ts'
import type { IncomingFeed } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { RunStateBadge } from '../background/run-state.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { Moment } from '../ui/moment.tsx'
import { sizeOf } from './durations.ts'

interface Blob {
  readonly id: number
  readonly name: string
  readonly state: string
  readonly reason: string | null
  readonly format: string | null
  readonly size: number
  readonly fetched_at: string
}

type Started = { data: { task_run: string } }

/** The content that a feed has fetched, with its processing state. */
export function Blobs({ feed }: { readonly feed: IncomingFeed }) {
  const may = useMay()
  const path = `incoming-feeds/${feed.id}`
  const blobs = useInfiniteQuery(endlessQuery<Blob>(`${path}/blobs`, { sort: '-fetched_at', limit: 50 }))
  const started = useMutation({ mutationFn: (what: string) => call<Started>('POST', `${path}/${what}`) })
  const all = blobs.data?.pages.flatMap(({ data }) => data) ?? []
  const canChange = may('modify incoming-feeds')
  if (blobs.isPending) return <Skeleton h={200} role="status" aria-label="Loading" />
  return (
    <Stack>
      <ErrorFaults error={blobs.error ?? started.error} />
      {started.data && (
        <Paper withBorder p="md">
          <RunProgress
            key={started.data.data.task_run}
            run={started.data.data.task_run}
            onEnded={() => void invalidate(path)}
          />
        </Paper>
      )}
      {canChange && all.length > 0 && (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => started.mutate('blobs/process')}>
            Reprocess failed blobs
          </Button>
          {may('modify entities') && may('modify extracts') && (
            <ConfirmButton
              label="Purge feed"
              title="Purge all content of this feed?"
              confirm="Purge"
              onConfirm={() => started.mutateAsync('purge')}
            >
              This deletes everything the feed fetched, and all entities, relationships and observables that come from
              this feed only. Unless you deactivate the feed first, its next run starts from the beginning. This cannot
              be undone.
            </ConfirmButton>
          )}
        </Group>
      )}
      {all.length === 0 && !blobs.error && (
        <EmptyState title="Nothing fetched yet">
          Run the feed now, or test it first to see what it would import.
        </EmptyState>
      )}
      {all.length > 0 && (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={760}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Format</Table.Th>
                  <Table.Th ta="end">Size</Table.Th>
                  <Table.Th>Fetched</Table.Th>
                  <Table.Th aria-label="Actions" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((blob) => (
                  <BlobRow
                    key={blob.id}
                    path={`${path}/blobs/${blob.id}`}
                    blob={blob}
                    canChange={canChange}
                    onProcess={() => started.mutate(`blobs/${blob.id}/process`)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      <ListEnd list={blobs} />
    </Stack>
  )
}

interface BlobRowProps {
  readonly path: string
  readonly blob: Blob
  readonly canChange: boolean
  readonly onProcess: () => void
}

function BlobRow({
  path,
  blob: { name, state, reason, format, size, fetched_at },
  canChange,
  onProcess,
}: BlobRowProps) {
  const isPurged = state === 'PURGED'
  return (
    <Table.Tr>
      <Table.Td className="code">
        {name}
        {reason && (
          <Text size="xs" c="red">
            {reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{isPurged ? 'Purged' : <RunStateBadge state={state} />}</Table.Td>
      <Table.Td>{format ?? '–'}</Table.Td>
      <Table.Td ta="end">{sizeOf(size)}</Table.Td>
      <Table.Td>
        <Moment at={fetched_at} />
      </Table.Td>
      <Table.Td>
        {!isPurged && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Anchor size="sm" href={`/api/v2/${path}/download`} download aria-label={`Download ${name}`}>
              Download
            </Anchor>
            {canChange && (
              <Button size="compact-xs" variant="subtle" onClick={onProcess} aria-label={`Reprocess ${name}`}>
                Reprocess
              </Button>
            )}
            {canChange && (
              <ConfirmButton
                label="Purge"
                title="Purge this blob?"
                confirm="Purge"
                button={{ size: 'compact-xs', variant: 'subtle', 'aria-label': `Purge ${name}` }}
                onConfirm={() => call('DELETE', path).then(() => invalidate(path.replace(/\/blobs.*/, '')))}
              >
                This deletes the fetched content but keeps the imported intelligence. The same content will not be
                imported again.
              </ConfirmButton>
            )}
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
