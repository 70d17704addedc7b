import { ActionIcon, Anchor, Button, Group, Skeleton, Stack, Table } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { endlessQuery } from '../../api/lists.ts'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { RateObservable } from '../observable/rate-observable.tsx'
import { AddObservables } from './add-observables.tsx'
import type { TabProps } from './entity.tsx'
import { invalidateEntities, isUnified } from './entity-queries.ts'

/** The observables of an entity, with controls to add, rate and remove them. */
export function ObservablesTab({ entity }: TabProps) {
  const may = useMay()
  const { id } = entity
  // The observables of a unified entity are those of its contributors.
  const mayChange = may('modify entities') && !isUnified(entity)
  const [isAdding, setIsAdding] = useState(false)
  const list = useInfiniteQuery(
    endlessQuery<Observable>('observables', {
      'filter[entities]': id,
      limit: 100,
      attributes: 'id,type,value,display_value,meta,created_at',
    }),
  )
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const add = mayChange && may('modify extracts') && <Button onClick={() => setIsAdding(true)}>Add observables</Button>
  return (
    <Stack>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton height={200} />}
      {list.data && rows.length === 0 && (
        <EmptyState title="No observables yet" action={add}>
          Add IP addresses, domains, hashes and other values that identify this threat.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <Group justify="flex-end">{add}</Group>
          <ObservableTable entity={id} rows={rows} mayChange={mayChange} />
          <ListEnd list={list} />
        </>
      )}
      <AddObservables entity={id} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Stack>
  )
}

interface ObservableTableProps {
  readonly entity: string
  readonly rows: readonly Observable[]
  readonly mayChange: boolean
}

function ObservableTable({ entity, rows, mayChange }: ObservableTableProps) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing={4} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Maliciousness</Table.Th>
            <Table.Th>First added</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((observable) => (
            <Table.Tr key={observable.id}>
              <Table.Td maw={420}>
                <Indicator type={observable.type} value={observable.value} />
              </Table.Td>
              <Table.Td>{observable.type}</Table.Td>
              <Table.Td>
                <RateObservable observable={observable} />
              </Table.Td>
              <Table.Td>
                <Moment at={observable.created_at} />
              </Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link to="/observables/$id" params={{ id: String(observable.id) }} {...props} />
                    )}
                    aria-label={`Details of ${observable.display_value}`}
                  >
                    Details
                  </Anchor>
                  {mayChange && <RemoveObservable entity={entity} observable={observable} />}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RemoveObservable({ entity, observable }: { readonly entity: string; readonly observable: Observable }) {
  const path = `entities/${entity}/observables`
  const taken = useMutation({
    mutationFn: () => call('DELETE', `${path}/${observable.id}`),
    onSuccess: async () => {
      await invalidateEntities()
      showToast(`${observable.display_value} removed`, async () => {
        await call('POST', path, { data: [{ type: observable.type, value: observable.value }] })
        await invalidateEntities()
      })
    },
    onError: showErrorToast,
  })
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={`Remove ${observable.display_value}`}
      loading={taken.isPending}
      onClick={() => taken.mutate()}
    >
      ✕
    </ActionIcon>
  )
}
