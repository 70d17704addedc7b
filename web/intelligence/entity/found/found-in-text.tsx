import { Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useMay } from '../../../api/session.ts'
import { ErrorFaults } from '../../../ui/faults.tsx'
import type { NewObservable, RelatedEntity } from '../entity-draft.ts'
import { FoundEntities } from './found-entities.tsx'
import { FoundObservables } from './found-observables.tsx'
import { FoundTechniques } from './found-techniques.tsx'
import { analyseText, type FoundTechnique, type Has, remaining, savedParts } from './text-analysis.ts'

/** Longer texts are refused by the server. */
const LONGEST = 1_000_000

interface FoundInTextProps {
  readonly text: string
  /** What is not offered, because the entity has it. */
  readonly has: Has
  /** The id of the entity, once it is saved. */
  readonly own?: string | undefined
  readonly onObservables: (observables: readonly NewObservable[]) => void
  readonly onRelate: (entity: RelatedEntity) => void
  readonly onClassify: (technique: FoundTechnique) => void
  /** What was accepted and is not saved yet. */
  readonly pending?: ReactNode
}

/** Observables, known entities and techniques in a text, each accepted with a click. */
export function FoundInText({ text, has, own, onObservables, onRelate, onClassify, pending }: FoundInTextProps) {
  const may = useMay()
  const id = useId()
  const analysed = useMutation({
    mutationFn: async (asked: string) => {
      const [analysis, saved] = await Promise.all([
        analyseText(asked),
        own === undefined ? { observables: [], related: [] } : savedParts(own, may('read extracts')),
      ])
      return { analysis, saved: { ...saved, nodes: [] } }
    },
  })
  if (!may('read attack') || text === '') return null
  const left = analysed.data && remaining(analysed.data.analysis, [has, analysed.data.saved], own)
  const isEmpty = left && left.observables.length + left.entities.length + left.attacks.length === 0
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Group justify="space-between">
        <Title order={2} size="h5" id={id}>
          Found in this text
        </Title>
        <Button
          size="compact-sm"
          variant="light"
          loading={analysed.isPending}
          disabled={text.length > LONGEST}
          onClick={() => analysed.mutate(text)}
        >
          {analysed.data ? 'Analyse again' : 'Analyse text'}
        </Button>
      </Group>
      {text.length > LONGEST && (
        <Text size="sm" c="dimmed" mt="xs">
          Texts of more than {LONGEST.toLocaleString('en')} characters cannot be analysed.
        </Text>
      )}
      {analysed.error && <ErrorFaults error={analysed.error} />}
      <Stack gap="md" mt="sm" aria-live="polite">
        {isEmpty && (
          <Text size="sm" c="dimmed">
            Nothing else was found.
          </Text>
        )}
        {left && <FoundObservables found={left.observables} onAdd={onObservables} />}
        {left && <FoundEntities found={left.entities} onRelate={onRelate} />}
        {pending}
        {left && <FoundTechniques found={left.attacks} chosen={has.nodes} onAdd={onClassify} />}
        {left && left.notes.length > 0 && (
          <List size="xs" c="dimmed">
            {left.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  )
}
