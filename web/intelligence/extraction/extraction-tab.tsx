import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAiFeature } from '../../ai/features.ts'
import { useAnswer } from '../../ai/use-answer.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { TabProps } from '../entity/entity.tsx'
import { type Extraction, textsOf } from './extraction.ts'
import { ExtractionReview } from './extraction-review.tsx'

/** Extracts entities from the text of an entity with a language model, for review. */
export function ExtractionTab({ entity }: TabProps) {
  const isAvailable = useAiFeature('ai_entity_extraction')
  const missing = useMissing()
  const answer = useAnswer<Extraction>('entity-extraction')
  const [isDiscarded, setIsDiscarded] = useState(false)
  const texts = textsOf(entity)
  if (!isAvailable)
    return (
      <EmptyState title="Entity extraction is not available">
        An administrator can assign a language model to it.
      </EmptyState>
    )
  if (missing)
    return (
      <EmptyState title="You cannot extract entities">
        This requires the permission “{missing}”. Ask an administrator to add it to one of your roles.
      </EmptyState>
    )
  const { result } = answer
  if (result && !isDiscarded)
    return (
      <ExtractionReview
        // Another extraction starts another review.
        key={result.generated_by.generated_at}
        report={entity}
        texts={texts}
        extraction={result}
        onAgain={() => setIsDiscarded(true)}
      />
    )
  return (
    <Stack align="flex-start" maw={640}>
      <Text size="sm">
        A language model reads the title and description and names the entities in them. Only what the text proves is
        shown, and nothing is stored until you accept it.
      </Text>
      {!answer.isBusy && (
        <Button
          onClick={() => {
            setIsDiscarded(false)
            void answer.ask({ text: texts, entity_id: entity.id })
          }}
        >
          Extract entities
        </Button>
      )}
      <AnswerState answer={answer} doing="Reading" />
    </Stack>
  )
}

/** A permission that extraction needs and the user lacks. */
function useMissing(): string | undefined {
  const may = useMay()
  return ['read extracts', 'read attack'].find((permission) => !may(permission))
}
