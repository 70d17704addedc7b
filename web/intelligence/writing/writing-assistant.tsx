import { Button, Group, Paper, Progress, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAiFeature } from '../../ai/features.ts'
import { useAi } from '../../ai/use-ai.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import type { Rewritten } from './rewritten.ts'
import { SuggestedChanges } from './suggested-changes.tsx'

const PRESETS = [
  { value: 'correct', label: 'Correct mistakes' },
  { value: 'formal', label: 'Make more formal' },
  { value: 'shorten', label: 'Shorten' },
  { value: 'expand', label: 'Expand' },
  { value: 'summarise', label: 'Summarise' },
  { value: 'bullet-points', label: 'Turn into bullet points' },
]

interface Props {
  readonly text: string
  readonly onChange: (text: string) => void
  /** The id of the entity that the text belongs to; undefined for a new one. */
  readonly entity: string | undefined
}

/** Rewrites a text in a form by a language model. The user decides on each change, and saves the form as usual. */
export function WritingAssistant({ text, onChange, entity }: Props) {
  const isAvailable = useAiFeature('ai_writing_assistant')
  const [isOpen, setIsOpen] = useState(false)
  if (!isAvailable || text.trim() === '') return null
  if (!isOpen)
    return (
      <div>
        <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
          Rewrite description
        </Button>
      </div>
    )
  return <Asking text={text} onChange={onChange} entity={entity} onClose={() => setIsOpen(false)} />
}

function Asking({ text, onChange, entity, onClose }: Props & { readonly onClose: () => void }) {
  const [preset, setPreset] = useState<string | null>('correct')
  const [instruction, setInstruction] = useState('')
  const [sent, setSent] = useState(text)
  const { ask, stop, isRunning, progress, result, error } = useAi<Rewritten>('writing-assistant')
  const start = () => {
    setSent(text)
    void ask({ text, preset, instruction: instruction.trim() || null, entity: entity ?? null })
  }
  return (
    <Paper component="section" aria-label="Rewrite description" withBorder p="md">
      <Stack gap="sm">
        <Group align="end">
          <Select label="What to do" data={PRESETS} value={preset} onChange={setPreset} clearable />
          <TextInput
            label="Instruction"
            placeholder="For example: explain it to managers"
            maxLength={4_000}
            flex={1}
            value={instruction}
            onChange={(event) => setInstruction(event.currentTarget.value)}
          />
          {isRunning ? (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button disabled={preset === null && instruction.trim() === ''} onClick={start}>
              Rewrite
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
        {isRunning && (
          <Progress aria-label="Rewriting" animated value={progress ? (100 * progress.done) / progress.total : 100} />
        )}
        <ErrorFaults error={error} />
        {result && (
          <SuggestedChanges
            key={result.generated_by.generated_at}
            text={sent}
            rewritten={result}
            isOutdated={sent !== text}
            onApply={onChange}
          />
        )}
      </Stack>
    </Paper>
  )
}
