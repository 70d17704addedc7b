import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { SaveGenerated } from '../../intelligence/save-generated.tsx'
import { CopyAs } from '../../ui/copy-as.tsx'
import { AiNote } from '../ai-note.tsx'
import { AiText } from '../ai-text.tsx'
import { AnswerState, Warnings } from '../answer-state.tsx'
import type { Made, UnverifiedValue } from '../made.ts'
import { type Answer, useAnswer } from '../use-answer.ts'
import { AnswerDialog } from './answer-dialog.tsx'

interface Summary extends Made {
  readonly summary: string
  readonly unverified_values: readonly UnverifiedValue[]
  readonly is_cut_off: boolean
  readonly is_cached: boolean
}

interface QuickSummaryProps {
  readonly id: string
  readonly title: string
  readonly onClose: () => void
}

/** A summary of one entity, which is asked for at once. */
export function QuickSummary({ id, title, onClose }: QuickSummaryProps) {
  const answer = useAnswer<Summary>('quick-summary')
  const { ask } = answer
  useEffect(() => void ask({ entity: id }), [ask, id])
  return (
    <AnswerDialog onClose={onClose} title="Summary" size="lg">
      <Stack>
        <SummaryText
          answer={answer}
          title={`Summary: ${title}`}
          onRefresh={() => ask({ entity: id, refresh: true })}
          onRetry={() => ask({ entity: id })}
        />
      </Stack>
    </AnswerDialog>
  )
}

const TYPES = [
  { value: 'strategic', label: 'Strategic: for decision makers' },
  { value: 'technical', label: 'Technical: for analysts' },
  { value: 'contextual', label: 'Contextual: answers a question' },
  { value: 'custom', label: 'Custom: follows your instruction' },
]

const QUESTIONS: Readonly<Record<string, { readonly field: string; readonly label: string }>> = {
  contextual: { field: 'summary_context_question', label: 'Question' },
  custom: { field: 'custom_summary_content_instruction', label: 'Instruction' },
}

interface JointSummaryProps {
  readonly ids: readonly string[]
  readonly note?: string | undefined
  readonly onClose: () => void
}

/** One summary of several entities. */
export function JointSummary({ ids, note, onClose }: JointSummaryProps) {
  const [type, setType] = useState('strategic')
  const [question, setQuestion] = useState('')
  const answer = useAnswer<Summary>('summary')
  const own = QUESTIONS[type]
  const isQuestionMissing = own !== undefined && question.trim() === ''
  const asked = {
    entities: ids,
    summary_type: type,
    ...(own && question.trim() !== '' && { [own.field]: question.trim() }),
  }
  return (
    <AnswerDialog
      onClose={onClose}
      title={`Summarise ${ids.length === 1 ? '1 entity' : `${ids.length} entities`}`}
      size="lg"
    >
      <Stack>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        <Select
          label="Summary type"
          data={TYPES}
          value={type}
          allowDeselect={false}
          onChange={(value) => setType(value ?? 'strategic')}
        />
        {own && (
          <Textarea
            label={own.label}
            withAsterisk
            autosize
            minRows={2}
            maxLength={2_000}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
          />
        )}
        <Group justify="flex-end">
          <Button disabled={answer.isBusy || isQuestionMissing} onClick={() => answer.ask(asked)}>
            Summarise
          </Button>
        </Group>
        <SummaryText answer={answer} title="Summary" onRefresh={() => answer.ask({ ...asked, refresh: true })} />
      </Stack>
    </AnswerDialog>
  )
}

interface SummaryTextProps {
  readonly answer: Answer<Summary>
  /** The title under which it is saved. */
  readonly title: string
  readonly onRefresh: () => void
  /** Offered after a failure, where no other button starts it. */
  readonly onRetry?: () => void
}

function SummaryText({ answer, title, onRefresh, onRetry }: SummaryTextProps) {
  const { result, text, isStopped, error } = answer
  return (
    <>
      <section aria-label="Summary" aria-busy={answer.isBusy}>
        <AiText text={result?.summary ?? text} unverified={result?.unverified_values ?? []} />
      </section>
      <AnswerState answer={answer} />
      {onRetry && (isStopped || Boolean(error)) && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
      {result && (
        <>
          <Warnings unverified={result.unverified_values} isCutOff={result.is_cut_off} />
          <AiNote made={result} />
          <Group gap="xs">
            <CopyAs text={result.summary} />
            <Button size="compact-sm" variant="default" onClick={onRefresh}>
              Summarise again
            </Button>
          </Group>
          <SaveGenerated
            key={result.generated_by.generated_at}
            made={result}
            title={title}
            text={result.summary}
            format="markdown"
            types={['note', 'report']}
          />
        </>
      )}
    </>
  )
}
