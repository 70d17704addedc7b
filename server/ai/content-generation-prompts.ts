import { z } from 'zod'
import { LANGUAGES } from '../domain/languages.ts'
import { bool, int, name, oneOf, strings, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { currentType, OLDER_TYPE } from '../intelligence/entities/data/vendor-sighting.ts'
import { entityTypes } from '../intelligence/entities/entity-data.ts'

const entityType = z.enum([...entityTypes, OLDER_TYPE]).transform(currentType)

const entityField = z.enum([
  'title',
  'type',
  'description',
  'observed_time',
  'tags',
  'taxonomy',
  'attack',
  'references',
])

export const contentGenerationPrompts = defineResource({
  collection: 'content_generation_prompts',
  title: 'Content generation prompt',
  doc: 'A prompt for generating content about entities with a language model.',
  permission: 'configurations',
  key: ['name'],
  fields: {
    name: name(),
    description: text().required(),
    content_prompt: text().required(),
    formatting_prompt: text().required(),
    entity_types: strings(entityType).required(),
    target_language: oneOf(LANGUAGES).required(),
    include_related_entities: bool().required(),
    is_enabled: bool().required(),
    is_pinned: bool().required(),
    limit_content_length: bool().required(),
    content_length: int(1).nullable(),
    max_related_entities: int(0).nullable(),
    entity_fields: strings(entityField),
    ...stamps,
  },
  example: {
    name: 'Weekly briefing',
    description: "This week's events, for the board.",
    content_prompt: 'Summarise what these reports say about our sector.',
    formatting_prompt: 'Three paragraphs without headings.',
    entity_types: ['report', 'incident'],
    target_language: 'English',
    include_related_entities: true,
    is_enabled: true,
    is_pinned: false,
    limit_content_length: true,
    content_length: 300,
    max_related_entities: 10,
    entity_fields: ['title', 'description', 'tags'],
  },
})
