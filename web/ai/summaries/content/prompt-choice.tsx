import { Alert, Select, Text } from '@mantine/core'
import type { ContentGenerationPrompt } from '../../../api/resources.ts'
import { entityTypeName } from '../../../domain/entity-types.ts'
import { unfitTypes } from './content.ts'

interface PromptChoiceProps {
  readonly prompts: readonly ContentGenerationPrompt[]
  readonly chosen: ContentGenerationPrompt
  /** The types of the entities to write about. */
  readonly types: readonly string[]
  readonly onChange: (id: string) => void
}

/** The prompt to write with, and what it asks for. */
export function PromptChoice({ prompts, chosen, types, onChange }: PromptChoiceProps) {
  const groups = Map.groupBy(prompts, ({ is_pinned }) => (is_pinned ? 'Pinned' : 'Others'))
  const unfit = unfitTypes(chosen, types)
  return (
    <>
      <Select
        label="Prompt"
        searchable={prompts.length > 8}
        allowDeselect={false}
        data={[...groups].map(([group, members]) => ({
          group,
          items: members.map(({ id, name }) => ({ value: String(id), label: name })),
        }))}
        value={String(chosen.id)}
        onChange={(id) => id !== null && onChange(id)}
      />
      {chosen.description !== '' && <Text size="sm">{chosen.description}</Text>}
      <Text size="xs" c="dimmed">
        {inWords(chosen)}
      </Text>
      {unfit.length > 0 && (
        <Alert color="yellow" variant="light">
          This prompt is not meant for {unfit.map((type) => entityTypeName(type).toLowerCase()).join(', ')}. Remove
          these entities or select another prompt.
        </Alert>
      )}
    </>
  )
}

/** The number of related entities that are read if a prompt does not say. */
const DEFAULT_RELATED = 10

function inWords(prompt: ContentGenerationPrompt): string {
  const { target_language, limit_content_length, content_length, include_related_entities } = prompt
  const words = limit_content_length && content_length !== null ? `, at most ${content_length} words` : ''
  const related = include_related_entities
    ? ` Up to ${prompt.max_related_entities ?? DEFAULT_RELATED} related entities are read as well.`
    : ''
  return `In ${target_language}${words}.${related}`
}
