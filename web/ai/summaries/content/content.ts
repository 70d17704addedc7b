import type { ContentGenerationPrompt } from '../../../api/resources.ts'
import type { Made, UnverifiedValue } from '../../made.ts'
import { madeFrom } from '../../strictest.ts'

/** What a model wrote with a prompt. */
export interface Generated extends Made {
  readonly title: string
  readonly content: string
  readonly unverified_values: readonly (UnverifiedValue & { readonly field?: 'title' | 'content' })[]
  readonly is_cut_off: boolean
}

/** The text after a change that the user asked for. */
export interface Refined extends Made {
  readonly refined_content: string
  readonly unverified_values: readonly UnverifiedValue[]
  readonly is_cut_off: boolean
}

/** A refined text is about the same entities, and as restricted as the text that it was made of. */
export function refinedFrom(earlier: Generated, { refined_content: content, ...refined }: Refined): Generated {
  const ofTitle = earlier.unverified_values.filter(({ field }) => field === 'title')
  return {
    ...madeFrom(earlier, refined),
    title: earlier.title,
    content,
    unverified_values: [
      ...ofTitle,
      ...refined.unverified_values.map((value) => ({ ...value, field: 'content' as const })),
    ],
  }
}

/** The prompts that can be used, pinned ones first, then by name. */
export const usablePrompts = (prompts: readonly ContentGenerationPrompt[]): ContentGenerationPrompt[] =>
  prompts
    .filter(({ is_enabled }) => is_enabled)
    .sort((a, b) => Number(b.is_pinned) - Number(a.is_pinned) || a.name.localeCompare(b.name))

/** The types of these entities that a prompt is not meant for. */
export const unfitTypes = (
  { entity_types }: Pick<ContentGenerationPrompt, 'entity_types'>,
  types: readonly string[],
): string[] => (entity_types.length === 0 ? [] : [...new Set(types)].filter((type) => !entity_types.includes(type)))
