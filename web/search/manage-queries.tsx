import { Button, Switch, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import type { SavedQuery } from '../api/resources.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'

/** The user's saved queries, with controls to share and delete them. */
export function ManageQueries({ own }: { readonly own: readonly SavedQuery[] }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['saved-queries'] })
  const changed = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: refresh,
    onError: showErrorToast,
  })
  const remove = async (saved: SavedQuery) => {
    await call('DELETE', `saved-queries/${saved.id}`)
    const { name, description, query, collection, settings, is_shared } = saved
    const data = { name, description, query, collection, settings, is_shared }
    showToast(`“${name}” deleted`, () => call('POST', 'saved-queries', { data }).then(refresh))
  }
  if (own.length === 0)
    return <EmptyState title="No saved queries">Save a search to run it again later, or to share it.</EmptyState>
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Shared</Table.Th>
          <Table.Th aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {own.map((saved) => (
          <Table.Tr key={saved.id}>
            <Table.Td>
              <Text size="sm">{saved.name}</Text>
              <Text size="xs" c="dimmed" className="code" lineClamp={1}>
                {saved.query || 'All'}
              </Text>
            </Table.Td>
            <Table.Td>
              <Switch
                aria-label={`Share ${saved.name}`}
                checked={saved.is_shared}
                onChange={() =>
                  changed.mutate(() => call('PATCH', `saved-queries/${saved.id}`, { is_shared: !saved.is_shared }))
                }
              />
            </Table.Td>
            <Table.Td ta="end">
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={`Delete ${saved.name}`}
                onClick={() => changed.mutate(() => remove(saved))}
              >
                Delete
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
