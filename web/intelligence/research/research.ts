import type { Made, UnverifiedValue } from '../../ai/made.ts'

/** How relevant an entity is to the organisation. */
export interface Relevancy extends Made {
  readonly score: number
  readonly level: 'none' | 'low' | 'medium' | 'high'
  readonly reasons: readonly {
    readonly text: string
    readonly quote: string
    readonly entity: string | null
    readonly unverified_values: readonly UnverifiedValue[]
  }[]
  readonly dropped_reasons: number
  readonly missing_profile: readonly string[]
  readonly notes: readonly string[]
}

/** What is known about an entity, and where from. */
export interface Enrichment extends Made {
  readonly title: string
  readonly description: readonly string[]
  readonly key_highlights: readonly string[]
  readonly related_entities: readonly {
    readonly name: string
    readonly type: string
    readonly quote: string
    readonly entity: string | null
  }[]
  readonly sources: readonly {
    readonly n: number
    readonly title: string
    readonly url: string | null
    readonly entity: string | null
    readonly date: string | null
  }[]
  readonly removed_urls: number
  readonly dropped_entities: number
  readonly unverified_values: readonly UnverifiedValue[]
  readonly notes: readonly string[]
}

/** An enrichment as one text, with its sources, as it is saved. */
export function textOf({ description, key_highlights, sources }: Enrichment): string {
  const listed = key_highlights.map((highlight) => `- ${highlight}`).join('\n')
  const named = sources.map(({ n, title, url, date }) => {
    const where = url === null ? '' : ` ${url}`
    return `${n}. ${title}${where}${date === null ? '' : ` (${date})`}`
  })
  return [
    ...description,
    ...(listed === '' ? [] : [listed]),
    ...(named.length === 0 ? [] : [`## Sources\n\n${named.join('\n')}`]),
  ].join('\n\n')
}
