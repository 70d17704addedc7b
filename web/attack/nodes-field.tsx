import { MultiSelect, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { inSentence } from '../ui/in-sentence.ts'
import { MATRICES } from './matrices.ts'
import { nodeChoices } from './node-choices.ts'
import { namedNodesQuery } from './nodes.ts'

interface NodesFieldProps {
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  /** Ids of nodes; others are shown as they are. */
  readonly value: readonly string[]
  readonly onChange: (nodes: readonly string[]) => void
}

/** Selects nodes of all matrices by their names or ids: a technique in one tactic, or a tactic. */
export function NodesField({ label, description, error, value, onChange }: NodesFieldProps) {
  const found = useQueries({
    queries: MATRICES.map((matrix) => namedNodesQuery(matrix.value)),
    combine: (queries) => ({
      matrices: queries.map(({ data }) => data),
      isPending: queries.some(({ isPending }) => isPending),
      hasFailed: queries.some(({ isError }) => isError),
    }),
  })
  const choices = useMemo(
    () => nodeChoices(MATRICES.map(({ label }, i) => ({ label, nodes: found.matrices[i] ?? new Map() }))),
    [found.matrices],
  )
  const known = useMemo(() => new Map(choices.map((choice) => [choice.value, choice])), [choices])
  const unknown = value.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id }))
  return (
    <MultiSelect
      label={label}
      description={description}
      error={error ?? (found.hasFailed ? 'The nodes could not be loaded. Reload the page.' : undefined)}
      placeholder={value.length === 0 ? 'Search by name or id, such as T1566' : ''}
      data={[...choices.map((choice) => ({ value: choice.value, label: choice.label })), ...unknown]}
      value={[...value]}
      onChange={onChange}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{known.get(option.value)?.name ?? option.label}</Text>
          <Text size="xs" c="dimmed">
            {known.get(option.value)?.place ?? 'Not in this version'}
          </Text>
        </div>
      )}
      searchable
      clearable
      hidePickedOptions
      limit={100}
      openOnFocus={false}
      nothingFoundMessage={found.isPending ? 'Loading…' : 'No matching technique or tactic'}
      clearButtonProps={{ 'aria-label': `Clear ${inSentence(label)}` }}
    />
  )
}
