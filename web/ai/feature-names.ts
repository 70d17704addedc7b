/** A feature of language models, as it is shown. */
export interface FeatureName {
  readonly name: string
  readonly label: string
  readonly description: string
}

/** All features, the most used first. */
export const FEATURES: readonly FeatureName[] = [
  {
    name: 'ai_assistant',
    label: 'Assistant',
    description: 'Answers questions from your intelligence, and cites its sources.',
  },
  {
    name: 'ai_intel_summary',
    label: 'Summaries and reports',
    description: 'Summarises entities, selections, datasets and workspaces, and writes reports about them.',
  },
  {
    name: 'ai_content_generation',
    label: 'Content generation',
    description: 'Writes about entities with your own prompts.',
  },
  {
    name: 'ai_entity_extraction',
    label: 'Entity extraction',
    description: 'Names the entities in a text. An analyst reviews each of them.',
  },
  {
    name: 'ai_translation',
    label: 'Translation',
    description: 'Translates entities, and keeps values, names and code as they are.',
  },
  {
    name: 'ai_writing_assistant',
    label: 'Writing assistant',
    description: 'Corrects and rewrites descriptions. Each change is accepted or refused.',
  },
  {
    name: 'ai_contextual_relevancy',
    label: 'Relevancy',
    description: 'Compares entities with the profile of your organisation.',
  },
  {
    name: 'ai_web_enrichment',
    label: 'Web enrichment',
    description: 'Tells what is known about an entity. Only Perplexity searches the web for it.',
  },
  {
    name: 'nlp_to_search',
    label: 'Search in words',
    description: 'Translates questions to queries, which you see before they run.',
  },
]

/** What is counted as usage but is not a feature. */
const PURPOSES: Readonly<Record<string, string>> = {
  connection_test: 'Connection test',
  passages: 'Index of the assistant',
}

/** The name of a feature, or of another purpose that tokens are counted for. */
export const featureName = (feature: string): string =>
  FEATURES.find(({ name }) => name === feature)?.label ?? PURPOSES[feature] ?? feature
