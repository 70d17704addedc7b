import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAnswer } from '../../ai/use-answer.ts'
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

interface RewriteTextProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** The colour that the text has in the form. */
  readonly tlp: string
  /** The id of the entity that the text belongs to; undefined for a new one. */
  readonly entity: string | undefined
}

/** Rewrites a text by a language model. The user decides on each change. */
export function RewriteText({ text, onChange, entity, tlp }: RewriteTextProps) {
  const [preset, setPreset] = useState<string | null>('correct')
  const [instruction, setInstruction] = useState('')
  const [sent, setSent] = useState(text)
  const answer = useAnswer<Rewritten>('writing-assistant')
  const { result } = answer
  const start = () => {
    setSent(text)
    void answer.ask({ text, preset, instruction: instruction.trim() || null, entity: entity ?? null, tlp_color: tlp })
  }
  return (
    <Stack gap="sm">
      <Group align="end">
        <Select label="What to do" data={PRESETS} value={preset} onChange={setPreset} clearable />
        <TextInput
          label="Instruction"
          placeholder="For example: explain it to managers"
          maxLength={4_000}
          flex="1 1 14rem"
          value={instruction}
          onChange={(event) => setInstruction(event.currentTarget.value)}
        />
        <Button
          variant="light"
          disabled={answer.isBusy || (preset === null && instruction.trim() === '')}
          onClick={start}
        >
          Rewrite
        </Button>
      </Group>
      <AnswerState answer={answer} doing="Rewriting" />
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
  )
}
