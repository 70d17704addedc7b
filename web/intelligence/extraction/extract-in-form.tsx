import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAnswer } from '../../ai/use-answer.ts'
import type { SetValue } from '../../forms/use-draft.ts'
import type { EntityDraft } from '../entity/entity-draft.ts'
import { accepted, countOf, type Decisions, decided, type Extraction, textsOf } from './extraction.ts'
import { ReviewList } from './review-list.tsx'

interface ExtractInFormProps {
  readonly draft: EntityDraft
  readonly set: SetValue
  /** The colour that the text has in the form. */
  readonly tlp: string
  /** The id of the entity that is edited; undefined for a new one. */
  readonly entity: string | undefined
}

/** Extracts entities from the text of a form. What is accepted is stored when the form is saved. */
export function ExtractInForm({ draft, set, entity, tlp }: ExtractInFormProps) {
  const answer = useAnswer<Extraction>('entity-extraction')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const start = () => {
    const sent = textsOf(draft)
    setTexts(sent)
    // What was accepted before is not mixed with what is found now.
    set(['extracted'], undefined)
    void answer.ask({ text: sent, entity_id: entity ?? null, tlp_color: tlp })
  }
  const { result } = answer
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text size="sm">
          A language model names the entities in the title and description. What you accept is stored and related to
          this entity when you save the form.
        </Text>
        <Button variant="light" size="compact-sm" flex="none" disabled={answer.isBusy} onClick={start}>
          {result ? 'Extract again' : 'Extract'}
        </Button>
      </Group>
      <AnswerState answer={answer} doing="Reading" />
      {result && (
        <Review
          key={result.generated_by.generated_at}
          texts={texts}
          extraction={result}
          onDecided={(decisions) => set(['extracted'], { extraction: result, accepted: accepted(result, decisions) })}
        />
      )}
    </Stack>
  )
}

interface ReviewProps {
  readonly texts: Readonly<Record<string, string>>
  readonly extraction: Extraction
  readonly onDecided: (decisions: Decisions) => void
}

function Review({ texts, extraction, onDecided }: ReviewProps) {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  return (
    <>
      <ReviewList
        texts={texts}
        extraction={extraction}
        decisions={decisions}
        decide={(keys, decision) => {
          const after = decided(decisions, keys, decision)
          setDecisions(after)
          onDecided(after)
        }}
      />
      <Group justify="space-between">
        <AiNote made={extraction} />
        <Text size="sm" role="status">
          {countOf(accepted(extraction, decisions))} of {countOf(extraction)} accepted
        </Text>
      </Group>
    </>
  )
}
