import { Anchor, Badge, Button, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { endlessQuery } from '../api/lists.ts'
import type { ContentBlock } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { Moment } from '../ui/moment.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { sizeOf } from './durations.ts'

const STATES: Readonly<Record<ContentBlock['delivery_status'], { readonly label: string; readonly color: string }>> = {
  READY: { label: 'Ready to fetch', color: 'green' },
  DELIVERED: { label: 'Delivered', color: 'green' },
  PENDING: { label: 'Pending', color: 'blue' },
  FAILED: { label: 'Failed', color: 'red' },
  SUPERSEDED: { label: 'Superseded', color: 'gray' },
}

/** The content blocks that a feed has published, with their delivery state. */
export function Blocks({ feed }: { readonly feed: number }) {
  const may = useMay()
  const blocks = useInfiniteQuery({
    ...endlessQuery<ContentBlock>('content-blocks', { 'filter[outgoing_feed]': feed, sort: '-created_at', limit: 50 }),
    enabled: may('read content-blocks'),
  })
  const delivered = useMutation({
    mutationFn: (id: number) => call<{ data: { task_run: string } }>('POST', `content-blocks/${id}/deliver`),
  })
  if (!may('read content-blocks')) return <NoPermission permission="read content-blocks" />
  if (blocks.isPending) return <Skeleton h={200} role="status" aria-label="Loading" />
  const all = blocks.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Stack>
      <ErrorFaults error={blocks.error ?? delivered.error} />
      {delivered.data && (
        <RunProgress
          run={delivered.data.data.task_run}
          onEnded={() => void invalidate('content-blocks', 'outgoing-feeds')}
        />
      )}
      {all.length === 0 && !blocks.error && (
        <EmptyState title="Nothing published yet">Run the feed now, or preview its first block.</EmptyState>
      )}
      {all.length > 0 && (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={760}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>File</Table.Th>
                  <Table.Th>Delivery</Table.Th>
                  <Table.Th ta="end">Items</Table.Th>
                  <Table.Th ta="end">Size</Table.Th>
                  <Table.Th ta="end">Losses</Table.Th>
                  <Table.Th>Created</Table.Th>
                  <Table.Th aria-label="Actions" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((block) => (
                  <BlockRow key={block.id} block={block} onDeliver={() => delivered.mutate(block.id)} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      <ListEnd list={blocks} />
    </Stack>
  )
}

function BlockRow({ block, onDeliver }: { readonly block: ContentBlock; readonly onDeliver: () => void }) {
  const may = useMay()
  const { id, filename, delivery_status, delivery_error, items_count, size, losses_count, created_at, purged_at } =
    block
  const { label, color } = STATES[delivery_status]
  const canChange = may('modify outgoing-feeds') && purged_at === null
  return (
    <Table.Tr>
      <Table.Td className="code">{filename}</Table.Td>
      <Table.Td>
        <Badge variant="light" radius="xs" color={purged_at ? 'gray' : color}>
          {purged_at ? 'Purged' : label}
        </Badge>
        {delivery_error && (
          <Text size="xs" c="red">
            {delivery_error}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">{items_count.toLocaleString('en')}</Table.Td>
      <Table.Td ta="end">{sizeOf(size)}</Table.Td>
      <Table.Td ta="end">{losses_count.toLocaleString('en')}</Table.Td>
      <Table.Td>
        <Moment at={created_at} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {purged_at === null && block.download_url && (
            <Anchor
              size="sm"
              href={`/api/v2/content-blocks/${id}/download`}
              download
              aria-label={`Download ${filename}`}
            >
              Download
            </Anchor>
          )}
          {canChange && delivery_status === 'PENDING' && (
            <Button size="compact-xs" variant="subtle" onClick={onDeliver} aria-label={`Deliver now: ${filename}`}>
              Deliver now
            </Button>
          )}
          {canChange && (
            <ConfirmButton
              label="Purge"
              title="Purge this block?"
              confirm="Purge"
              button={{ size: 'compact-xs', variant: 'subtle', 'aria-label': `Purge ${filename}` }}
              onConfirm={() => call('DELETE', `content-blocks/${id}`).then(() => invalidate('content-blocks'))}
            >
              This deletes its content, so that clients can no longer download it. This cannot be undone.
            </ConfirmButton>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
