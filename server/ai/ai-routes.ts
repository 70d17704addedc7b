import type { Route } from '../engine/route.ts'
import { chat } from './chat/chat.ts'
import { contentGeneration } from './content/content-generation.ts'
import { refineContent } from './content/refine-content.ts'
import { entityExtraction } from './extraction/entity-extraction.ts'
import { nlpToSearch } from './nlp-to-search/nlp-to-search.ts'
import { contextualRelevancy } from './relevancy/contextual-relevancy.ts'
import { report } from './reports/report.ts'
import { quickSummary } from './summaries/quick-summary.ts'
import { summary } from './summaries/summary.ts'
import { translation } from './translation/translation.ts'
import { webEnrichmentRefinement } from './web-enrichment/refine.ts'
import { webEnrichment } from './web-enrichment/web-enrichment.ts'
import { writingAssistant } from './writing/writing-assistant.ts'

/** The operations that ask language models. */
export const aiOperations: readonly Route[] = [
  chat,
  quickSummary,
  summary,
  report,
  contentGeneration,
  refineContent,
  entityExtraction,
  nlpToSearch,
  translation,
  writingAssistant,
  contextualRelevancy,
  webEnrichment,
  webEnrichmentRefinement,
]
