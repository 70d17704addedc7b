import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { askAi } from '../../ai/ask-ai.ts'
import { useAiFeature } from '../../ai/features.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import type { TabProps } from '../entity/entity.tsx'
import { type Extraction, textsOf } from './extraction.ts'
import { ExtractionReview } from './extraction-review.tsx'

interface Steps {
  readonly done: number
  readonly total: number
}

/** Extracts entities from the text of an entity with a language model, for review. */
export function ExtractionTab({ entity }: TabProps) {
  const isAvailable = useAiFeature('ai_entity_extraction')
  const may = useMay()
  const [steps, setSteps] = useState<Steps>()
  const controller = useRef<AbortController>(undefined)
  const texts = textsOf(entity)
  const extracted = useMutation({
    mutationFn: () => {
      controller.current = new AbortController()
      return askAi<Extraction>(
        'entity-extraction',
        { text: texts, entity_id: entity.id, include_prompt: true },
        {
          signal: controller.current.signal,
          onEvent: ({ event, data }) => event === 'progress' && setSteps(data),
        },
      )
    },
    onSettled: () => setSteps(undefined),
  })
  useEffect(() => () => controller.current?.abort(), [])
  if (!isAvailable)
    return (
      <EmptyState title="Entity extraction is not available">
        An administrator can assign a language model to the feature ai_entity_extraction in the configuration.
      </EmptyState>
    )
  const isStopped = controller.current?.signal.aborted === true
  const mayExtract = may('read extracts') && may('read attack')
  if (extracted.data)
    return (
      <ExtractionReview
        // Another extraction starts another review.
        key={extracted.data.generated_by.generated_at}
        report={entity}
        texts={texts}
        extraction={extracted.data}
        onAgain={() => extracted.reset()}
      />
    )
  return (
    <Stack align="flex-start" maw={640}>
      <Text size="sm">
        A language model reads the title and description and names the entities in them. Only what the text proves is
        shown, and nothing is stored until you accept it.
      </Text>
      {extracted.isPending ? (
        <Group w="100%">
          <Progress
            flex={1}
            animated
            value={steps && steps.total > 0 ? Math.max(5, (steps.done / steps.total) * 100) : 5}
            aria-label="Progress of the extraction"
          />
          <Text size="sm" role="status">
            {steps && steps.total > 1 ? `Part ${Math.min(steps.done + 1, steps.total)} of ${steps.total}` : 'Reading…'}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => controller.current?.abort()}>
            Stop
          </Button>
        </Group>
      ) : (
        <Button disabled={!mayExtract || Object.keys(texts).length === 0} onClick={() => extracted.mutate()}>
          Extract entities
        </Button>
      )}
      {isStopped && !extracted.isPending && (
        <Text size="sm" c="dimmed" role="status">
          Stopped.
        </Text>
      )}
      {extracted.error && !isStopped && <ErrorFaults error={extracted.error} />}
    </Stack>
  )
}
