import { Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { endlessQuery, idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { reasonInWords } from '../../domain/match-reasons.ts'
import { EntityName, type NamedEntity } from '../../intelligence/named-entity.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { showErrorMessage, showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { decideAll, type ManyDecided, manyInWords } from './decide-all.ts'
import { spelled, titleOf } from './names.ts'
import {
  SUGGESTIONS,
  type Suggestion,
  type SuggestionFilters,
  type SuggestionState,
  suggestionParameters,
} from './suggestion.ts'

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'accepted', label: 'Consolidated' },
  { value: 'refused', label: 'Not the same' },
] as const

const EMPTY: Readonly<Record<SuggestionState, string>> = {
  open: 'No open suggestions',
  accepted: 'No suggestion was accepted yet',
  refused: 'No suggestion was refused yet',
}

const PAGE_SIZE = 100

/** Suggestions in a state as a list, with decisions about several at once. */
export function SuggestionList({ filters }: { readonly filters: SuggestionFilters }) {
  const url = useUrlState()
  const state = STATES.find(({ value }) => value === url.get('state'))?.value ?? 'open'
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const list = useInfiniteQuery(
    endlessQuery<Suggestion>(SUGGESTIONS, { ...suggestionParameters(state, filters), limit: PAGE_SIZE }),
  )
  const suggestions = list.data?.pages.flatMap(({ data }) => data)
  const chosen = suggestions?.filter(({ id }) => selected.has(id)) ?? []
  const total = list.data?.pages[0]?.total_count ?? 0
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SegmentedControl
          aria-label="State"
          data={[...STATES]}
          value={state}
          onChange={(value) => {
            setSelected(new Set())
            url.set({ state: value === 'open' ? null : value }, true)
          }}
        />
        {total > 0 && (
          <Text size="sm" c="dimmed">
            {total.toLocaleString('en')} {total === 1 ? 'suggestion' : 'suggestions'}
          </Text>
        )}
        {chosen.length > 0 && <BulkActions chosen={chosen} state={state} onDone={() => setSelected(new Set())} />}
      </Group>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={240} role="status" aria-label="Loading suggestions" />}
      {suggestions?.length === 0 && <EmptyState title={EMPTY[state]} />}
      {suggestions && suggestions.length > 0 && (
        <SuggestionTable suggestions={suggestions} state={state} selected={selected} onSelect={setSelected} />
      )}
      <ListEnd list={list} />
    </Stack>
  )
}

interface BulkActionsProps {
  readonly chosen: readonly Suggestion[]
  readonly state: SuggestionState
  readonly onDone: () => void
}

/** Refuses or reopens the selected suggestions. Accepting is done one by one, because it changes what others see. */
function BulkActions({ chosen, state, onDone }: BulkActionsProps) {
  const action = state === 'open' ? 'refuse' : 'reopen'
  const done = useMutation({
    mutationFn: () =>
      decideAll(
        chosen.map(({ id }) => id),
        action,
      ),
    onSuccess: (result: ManyDecided) => {
      if (result.failed > 0) showErrorMessage(manyInWords(action, result))
      else showToast(manyInWords(action, result))
      onDone()
    },
    onError: showErrorToast,
  })
  return (
    <Group gap={6} role="group" aria-label="Selected suggestions">
      <Text size="sm" fw={600} role="status">
        {chosen.length} selected
      </Text>
      <Button size="compact-sm" variant="default" loading={done.isPending} onClick={() => done.mutate()}>
        {action === 'refuse' ? 'Not the same' : 'Reopen'}
      </Button>
    </Group>
  )
}

interface SuggestionTableProps {
  readonly suggestions: readonly Suggestion[]
  readonly state: SuggestionState
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
}

function SuggestionTable({ suggestions, state, selected, onSelect }: SuggestionTableProps) {
  const users = useNames('users')
  const canSelect = useMay()('modify entities') && state !== 'accepted'
  const entities = useNamedEntities(suggestions.flatMap(({ first, second }) => [first, second]))
  const chosen = suggestions.filter(({ id }) => selected.has(id)).length
  const toggle = (id: number) => onSelect(selected.symmetricDifference(new Set([id])))
  return (
    <TableFrame minWidth={860}>
      <Table aria-label="Suggestions">
        <Table.Thead>
          <Table.Tr>
            {canSelect && (
              <Table.Th w={36}>
                <Checkbox
                  size="xs"
                  aria-label="Select all suggestions"
                  checked={chosen === suggestions.length}
                  indeterminate={chosen > 0 && chosen < suggestions.length}
                  onChange={({ currentTarget }) =>
                    onSelect(new Set(currentTarget.checked ? suggestions.map(({ id }) => id) : []))
                  }
                />
              </Table.Th>
            )}
            <Table.Th>Entities</Table.Th>
            <Table.Th w={130}>Type</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th w={150}>{state === 'open' ? 'Suggested' : 'Decided'}</Table.Th>
            {state === 'open' && <Table.Th w={80} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {suggestions.map((suggestion) => (
            <Table.Tr key={suggestion.id}>
              {canSelect && (
                <Table.Td>
                  <Checkbox
                    size="xs"
                    aria-label={`Select suggestion ${suggestion.id}`}
                    checked={selected.has(suggestion.id)}
                    onChange={() => toggle(suggestion.id)}
                  />
                </Table.Td>
              )}
              <Table.Td maw={320}>
                <Name url={suggestion.first} entities={entities} />
                <Name url={suggestion.second} entities={entities} />
              </Table.Td>
              <Table.Td>{entityTypeName(suggestion.type)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {suggestion.reasons
                  .map((reason) => reasonInWords(spelled(reason, titlesOf(suggestion, entities))))
                  .join(' · ')}
              </Table.Td>
              <Table.Td>
                <Moment at={suggestion.decided_at ?? suggestion.created_at} />
                {suggestion.decided_by !== null && (
                  <Text size="xs" c="dimmed">
                    {nameOf(users, suggestion.decided_by)}
                  </Text>
                )}
              </Table.Td>
              {state === 'open' && (
                <Table.Td>
                  <PageLink to="/consolidation-suggestions" search={{ at: suggestion.id }}>
                    Review
                  </PageLink>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

const titlesOf = (
  { first, second }: Suggestion,
  entities: ReadonlyMap<string, NamedEntity> | undefined,
): readonly string[] =>
  [first, second].flatMap((url) => {
    const entity = entities?.get(idOf(url))
    return entity ? [titleOf(entity)] : []
  })

interface NameProps {
  readonly url: string
  readonly entities: ReadonlyMap<string, NamedEntity> | undefined
}

function Name({ url, entities }: NameProps) {
  if (!entities) return <Skeleton h={14} w={180} my={4} />
  const entity = entities.get(idOf(url))
  return entity ? <EntityName entity={entity} /> : <Text size="sm">–</Text>
}
