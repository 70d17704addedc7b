import { Button, Checkbox, NumberInput, Select, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMay } from '../api/session.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { manyOf } from './names.ts'
import { findPaths, type PathsAnswer } from './path-requests.ts'
import type { GraphState } from './use-graph.ts'

/** The parameters of a path search. */
export interface PathQuestion {
  readonly from: string | null
  readonly to: string | null
  readonly longest: number
  readonly hasObservables: boolean
}

export const NO_QUESTION: PathQuestion = { from: null, to: null, longest: 4, hasObservables: false }

interface PathsPanelProps {
  readonly graph: GraphState
  readonly question: PathQuestion
  readonly onChange: (question: PathQuestion) => void
}

/** Finds paths between two entities, adds them to the graph and highlights them one by one. */
export function PathsPanel({ graph, question, onChange }: PathsPanelProps) {
  const may = useMay()
  const { from, to, longest, hasObservables } = question
  const asked = useMutation({
    mutationFn: (ends: { from: string; to: string }) =>
      findPaths(ends, longest, hasObservables ? 'both' : 'relationships', graph.drawing.isCollapsed),
    onSuccess: (answer) => graph.drawPaths(answer),
  })
  const options = useMemo(
    () =>
      [...graph.drawing.nodes].flatMap(([key, node]) =>
        node.kind === 'entity' ? [{ value: key, label: node.title }] : [],
      ),
    [graph.drawing.nodes],
  )
  const end = (name: 'from' | 'to', label: string) => (
    <Select
      size="xs"
      label={label}
      placeholder="Entity in this graph"
      data={options}
      searchable
      limit={100}
      value={question[name]}
      onChange={(value) => onChange({ ...question, [name]: value })}
    />
  )
  return (
    <Stack gap="sm">
      {end('from', 'From')}
      {end('to', 'To')}
      <NumberInput
        size="xs"
        label="Maximum length"
        min={1}
        max={6}
        value={longest}
        onChange={(value) => onChange({ ...question, longest: Math.min(6, Math.max(1, Number(value) || 1)) })}
      />
      {may('read extracts') && (
        <Checkbox
          size="xs"
          label="Include shared observables"
          checked={hasObservables}
          onChange={({ currentTarget: { checked } }) => onChange({ ...question, hasObservables: checked })}
        />
      )}
      <Button
        size="compact-sm"
        disabled={from === null || to === null || from === to}
        loading={asked.isPending || graph.isBusy}
        onClick={() => from !== null && to !== null && asked.mutate({ from, to })}
      >
        Find paths
      </Button>
      <ErrorFaults error={asked.error} />
      {asked.data && <Found graph={graph} answer={asked.data} />}
    </Stack>
  )
}

function Found({ graph, answer }: { readonly graph: GraphState; readonly answer: PathsAnswer }) {
  const { paths, shared, isComplete, searchedLength } = answer
  const cut = shared.filter(({ count, keys }) => count > keys.length)
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600} role="status">
        {paths.length === 0 ? 'No paths of this length.' : manyOf(paths.length, 'path')}
      </Text>
      {!isComplete && (
        <Text size="xs" c="dimmed">
          There may be more paths: all paths of up to {manyOf(searchedLength, 'step')} are included.
        </Text>
      )}
      {cut.length > 0 && (
        <Text size="xs" c="dimmed">
          Only the first ten shared observables of two entities are shown.
        </Text>
      )}
      {paths.length > 1 && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => graph.setPath(new Set([...paths.flat(), ...shared.flatMap(({ keys }) => keys)]))}
        >
          Highlight all paths
        </Button>
      )}
      {paths.map((path) => (
        <UnstyledButton key={path.join()} py={4} onClick={() => graph.setPath(withShared(path, answer))}>
          <Text size="xs">{path.map((key) => graph.labels.get(key) ?? '…').join(' → ')}</Text>
        </UnstyledButton>
      ))}
      {graph.path !== null && (
        <Button size="compact-xs" variant="subtle" onClick={() => graph.setPath(null)}>
          Clear highlighting
        </Button>
      )}
    </Stack>
  )
}

/** A path, with the observables that its entities share. */
function withShared(path: readonly string[], { shared }: PathsAnswer): ReadonlySet<string> {
  const nodes = new Set(path)
  return new Set([
    ...path,
    ...shared.filter(({ ends }) => ends.every((end) => nodes.has(end))).flatMap(({ keys }) => keys),
  ])
}
