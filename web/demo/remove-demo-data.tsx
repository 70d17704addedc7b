import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { DEMO_TAG } from '../../server/domain/demo-data.ts'
import { call } from '../api/call.ts'
import { listQuery } from '../api/lists.ts'
import { queries } from '../api/queries.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { ErrorFaults } from '../ui/faults.tsx'

const QUERY = `tags:${DEMO_TAG}`

/** Deletes all demo data after showing how much there is. */
export function RemoveDemoData({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Remove demo data?">
      {isOpen && <Removal onClose={onClose} />}
    </Modal>
  )
}

function Removal({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery(listQuery('entities', { query: QUERY, data: false, 'meta[total_resources_aggregated]': 0 }))
  const removed = useMutation({
    mutationFn: () =>
      call<{ data: { task_run: string } }>('POST', 'entities/by-query/delete', { data: { entities_query: QUERY } }),
  })
  const count = data?.total_count
  return (
    <Stack>
      <Text size="sm">
        {count === 0
          ? `There is no demo data: no entities are tagged ${DEMO_TAG}.`
          : `This deletes all ${count?.toLocaleString('en') ?? '…'} entities tagged ${DEMO_TAG} and their relationships. It cannot be undone, but you can load the demo data again.`}
      </Text>
      <ErrorFaults error={removed.error} />
      {removed.data && (
        <RunProgress run={removed.data.data.task_run} onEnded={() => void queries.invalidateQueries()} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {removed.data ? 'Close' : 'Cancel'}
        </Button>
        {!removed.data && (
          <Button color="red" disabled={!count} loading={removed.isPending} onClick={() => removed.mutate()}>
            Remove demo data
          </Button>
        )}
      </Group>
    </Stack>
  )
}
