import { call } from '../../api/call.ts'
import type { Observable } from '../../api/resources.ts'
import type { Detonation } from './detonation-queries.ts'

export type Extract = Detonation['extracts'][number]

/** An observable of the platform that a report names as well. */
export type KnownObservable = Pick<Observable, 'id' | 'type' | 'value' | 'sources'>

/** Identifies an extract within a report. */
export const keyOf = ({ kind, value }: Pick<Extract, 'kind' | 'value'>): string => `${kind} ${value}`

/** An extract, with the observable that the platform has of it. */
export interface ExtractRow {
  readonly key: string
  readonly extract: Extract
  /** The id of its observable; undefined if the platform has none that the user sees. */
  readonly observable: number | undefined
  /** Whether another source than that of the detonator knows it. */
  readonly isKnown: boolean
}

const CLASSIFICATIONS: readonly Extract['classification'][] = ['bad', 'unknown', 'good']
const CONFIDENCES: readonly Extract['confidence'][] = ['high', 'medium', 'low']

/** The extracts of a report with what the platform knows about them, the worst first. */
export function rowsOf(
  extracts: readonly Extract[],
  observables: readonly KnownObservable[],
  source: string | undefined,
): readonly ExtractRow[] {
  const byKey = new Map(observables.map((each) => [keyOf({ kind: each.type, value: each.value }), each]))
  const rows = extracts.map((extract) => {
    const key = keyOf(extract)
    const observable = byKey.get(key)
    const isKnown = (observable?.sources ?? []).some((url) => url !== source)
    return { key, extract, observable: observable?.id, isKnown }
  })
  const order = ({ extract: { classification, confidence } }: ExtractRow) =>
    CLASSIFICATIONS.indexOf(classification) * CONFIDENCES.length + CONFIDENCES.indexOf(confidence)
  return rows.toSorted((a, b) => order(a) - order(b))
}

/** What is shown of the extracts. */
export const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'bad', label: 'Malicious' },
  { value: 'new', label: 'New' },
] as const

/** The rows of a view. */
export const rowsIn = (view: string, rows: readonly ExtractRow[]): readonly ExtractRow[] =>
  rows.filter(
    ({ extract, isKnown }) => (view !== 'bad' || extract.classification === 'bad') && (view !== 'new' || !isKnown),
  )

export const CLASSIFICATION_WORDS: Readonly<Record<Extract['classification'], { label: string; color: string }>> = {
  bad: { label: 'Malicious', color: 'red' },
  good: { label: 'Good', color: 'green' },
  unknown: { label: 'Unknown', color: 'gray' },
}

/** Makes extracts observables of the user's group; `entity` is null for none. */
export const acceptExtracts = async (id: string, extracts: readonly Extract[], entity: string | null) =>
  (
    await call<{ data: { observables: readonly string[]; entity: string | null } }>(
      'POST',
      `detonations/${id}/accept`,
      {
        data: { extracts: extracts.map(({ kind, value }) => ({ kind, value })), entity },
      },
    )
  ).data
