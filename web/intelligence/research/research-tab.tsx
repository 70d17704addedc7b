import { Stack } from '@mantine/core'
import { useAiFeature } from '../../ai/features.ts'
import type { TabProps } from '../entity/entity.tsx'
import { EnrichmentCard } from './enrichment-card.tsx'
import { RelevancyCard } from './relevancy-card.tsx'

/** How relevant an entity is, and what else is known about it. */
export function ResearchTab({ entity: { id } }: TabProps) {
  const canJudge = useAiFeature('ai_contextual_relevancy')
  const canEnrich = useAiFeature('ai_web_enrichment')
  return (
    <Stack>
      {canJudge && <RelevancyCard id={id} />}
      {canEnrich && <EnrichmentCard id={id} />}
    </Stack>
  )
}
