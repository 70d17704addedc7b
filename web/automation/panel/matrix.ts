import { idOf } from '../../api/lists.ts'
import type { Enrichment, Observable } from '../../api/resources.ts'
import { rankOf } from './rank.ts'

/** An observable with its results by enricher. */
export interface MatrixRow<O> {
  readonly observable: O
  /** By enricher id. */
  readonly results: ReadonlyMap<string, Enrichment>
}

/** Observables by enrichers. */
export interface Matrix<O> {
  /** The ids of enrichers with a result. */
  readonly enrichers: readonly string[]
  readonly rows: readonly MatrixRow<O>[]
}

/** Arranges results as a table; observables with the strongest verdicts come first, those without results last. */
export function matrixOf<O extends Pick<Observable, 'id'>>(
  observables: readonly O[],
  results: readonly Enrichment[],
): Matrix<O> {
  const byObservable = Map.groupBy(results, ({ observable }) => idOf(observable))
  const rows = observables.map((observable) => ({
    observable,
    results: new Map((byObservable.get(String(observable.id)) ?? []).map((each) => [idOf(each.enricher), each])),
  }))
  const strength = ({ results: own }: MatrixRow<O>) => Math.min(NONE, ...[...own.values()].map(rankOf))
  return {
    enrichers: [...new Set(results.map(({ enricher }) => idOf(enricher)))].sort((a, b) => Number(a) - Number(b)),
    rows: rows.sort((a, b) => strength(a) - strength(b) || a.observable.id - b.observable.id),
  }
}

const NONE = 1_000
