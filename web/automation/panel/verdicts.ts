import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Enricher, Enrichment } from '../../api/resources.ts'
import { rankOf } from './rank.ts'

/** What a source says about an observable. */
export interface SourceVerdict {
  readonly source: string
  readonly maliciousness: string
  /** Whether it is that of one of the user's groups. */
  readonly is_own: boolean
  readonly given_at: string | null
  readonly given_by: string | null
}

/** The verdicts on an observable by source. */
export const verdictsQuery = (id: number) =>
  queryOptions({
    queryKey: [`observables/${id}/verdicts`],
    queryFn: async ({ signal }) =>
      (await call<{ data: SourceVerdict[] }>('GET', `observables/${id}/verdicts`, undefined, signal)).data,
  })

/** A line of the table of verdicts. */
export type VerdictLine =
  | { readonly kind: 'result'; readonly key: string; readonly result: Enrichment }
  | { readonly kind: 'verdict'; readonly key: string; readonly verdict: SourceVerdict }

/**
 * Results of enrichers and verdicts of other sources in one list: the user's own verdict first, then the strongest. Verdicts of enrichers
 * are left out, because their results say more.
 */
export function linesOf(
  results: readonly Enrichment[],
  verdicts: readonly SourceVerdict[],
  enrichers: readonly Pick<Enricher, 'source'>[],
): readonly VerdictLine[] {
  const sources = new Set(enrichers.map(({ source }) => source))
  const lines = [
    ...verdicts
      .filter(({ source }) => !sources.has(source))
      .map((verdict) => {
        const finding = { kind: 'verdict', maliciousness: verdict.maliciousness }
        const rank = verdict.is_own ? -1 : rankOf({ findings: [finding], state: 'FOUND' })
        return { rank, line: { kind: 'verdict' as const, key: verdict.source, verdict } }
      }),
    ...results.map((result) => ({
      rank: rankOf(result),
      line: { kind: 'result' as const, key: String(result.id), result },
    })),
  ]
  return lines.sort((a, b) => a.rank - b.rank || (a.line.key < b.line.key ? -1 : 1)).map(({ line }) => line)
}
