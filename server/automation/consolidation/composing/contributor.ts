import { isRecord } from '../../../domain/record.ts'
import type { Item } from '../../../engine/context.ts'
import type { StoredMeta } from '../../../intelligence/entities/state.ts'

/** An entity as a contributor to a unified entity. */
export interface Contributor {
  readonly id: string
  readonly stixId: string
  readonly type: string
  /** The number of its source. */
  readonly source: number
  /** The rank of its colour. */
  readonly rank: number
  readonly data: Item
  readonly meta: StoredMeta
  /** When its producer created and changed it; otherwise when it was stored. */
  readonly created: string
  readonly modified: string
  readonly observables: readonly LinkedObservable[]
  readonly attachments: readonly string[]
}

export interface LinkedObservable {
  readonly id: number
  readonly linkType: string | null
}

/** What the configuration of a policy says about conflicting values. */
export interface Choices {
  readonly half_life_choice: 'highest' | 'lowest' | 'latest' | 'preferred_source'
  readonly tlp_choice: 'highest' | 'lowest' | 'preferred_source'
  /** The number of a source. */
  readonly preferred_source: number | null
}

/** What decides between two contributors whose values differ. */
export type Criterion = 'preferred_source' | 'reliability' | 'confidence' | 'modified' | 'created' | 'stix_id'

/** The criteria in their order; the contributor with the lower number or text comes first. Of times, the one that differs. */
const CRITERIA: readonly (readonly [Criterion, (a: Contributor, b: Contributor, choices: Choices) => number])[] = [
  ['preferred_source', (a, b, choices) => Number(isPreferred(b, choices)) - Number(isPreferred(a, choices))],
  ['reliability', (a, b) => reliabilityOf(a) - reliabilityOf(b)],
  ['confidence', (a, b) => confidenceOf(b) - confidenceOf(a)],
  ['modified', (a, b) => compareTexts(b.modified, a.modified)],
  ['created', (a, b) => compareTexts(a.created, b.created)],
  ['stix_id', (a, b) => compareTexts(a.stixId, b.stixId)],
]

/** Whether a contributor is of the source whose values come first. */
export const isPreferred = ({ source }: Contributor, { preferred_source }: Choices): boolean =>
  source === preferred_source

/** Contributors in the order in which their values count. It does not depend on ids of the database. */
export const inPrecedence = (contributors: readonly Contributor[], choices: Choices): Contributor[] =>
  contributors.toSorted((a, b) => decide(a, b, choices)?.[1] ?? 0)

/** Which criterion decides between two contributors, and how. */
export function decide(a: Contributor, b: Contributor, choices: Choices): readonly [Criterion, number] | undefined {
  for (const [criterion, compare] of CRITERIA) {
    const order = compare(a, b, choices)
    if (order !== 0) return [criterion, order]
  }
  return undefined
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const RELIABILITIES = 'ABCDEF'

/** From A, the most reliable, to F; sources without one come last. */
function reliabilityOf({ meta: { source_reliability } }: Contributor): number {
  return source_reliability ? RELIABILITIES.indexOf(source_reliability) : RELIABILITIES.length
}

/** From none to high. Nothing is as good as unknown. */
const CONFIDENCES: readonly unknown[] = ['none', 'unknown', 'low', 'medium', 'high']

/** The confidence as a word, also if it is a record. */
export function confidenceWord(confidence: unknown): string | undefined {
  const word = isRecord(confidence) ? confidence.value : confidence
  return typeof word === 'string' ? word : undefined
}

function confidenceOf({ data: { confidence } }: Contributor): number {
  const rank = CONFIDENCES.indexOf(confidenceWord(confidence)?.toLowerCase())
  return rank < 0 ? CONFIDENCES.indexOf('unknown') : rank
}
