import type { Made, UnverifiedValue } from '../../ai/made.ts'

/** The fields of an entity that are translated. */
export const TRANSLATED = ['title', 'short_description', 'description'] as const
export type Translated = (typeof TRANSLATED)[number]

export interface Translation extends Made {
  /** Of a text; null for an entity. */
  readonly translation: string | null
  readonly fields: Readonly<Partial<Record<Translated, string>>>
  readonly source_language: string | null
  readonly target_language: string
  readonly placeholders: number
  readonly unverified_values: readonly (UnverifiedValue & { readonly field: string })[]
}

export const DEFAULT_LANGUAGE = 'English'
