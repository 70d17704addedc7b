import type { Criterion } from './contributor.ts'

/** Why a field of a unified entity has its value. */
export type Rule =
  | Criterion
  | 'only'
  | 'agreed'
  | 'union'
  | 'earliest'
  | 'latest'
  | 'highest'
  | 'lowest'
  | 'highest_colour'
  | 'lowest_colour'

/** Where a field of a unified entity comes from. */
export interface FieldOrigin {
  /** The ids of the contributors. */
  readonly from: readonly string[]
  readonly rule: Rule
  /** How many items of a list were left out, because the list would have been too long. */
  readonly left_out?: number
}

/** How a unified entity came about. */
export interface Provenance {
  /** By names such as `data.title`. */
  readonly fields: Readonly<Record<string, FieldOrigin>>
  /** Why some contributors contribute nothing, by their ids. */
  readonly why_not: Readonly<Record<string, string>>
}

const SENTENCES: Record<Rule, string> = {
  preferred_source: 'It comes from the preferred source.',
  reliability: 'Its source is the most reliable.',
  confidence: 'Its confidence is the highest.',
  modified: 'It was updated last.',
  created: 'It was created first.',
  stix_id: 'Everything else is equal, and its STIX id comes first.',
  only: 'It is the only contributor with a value.',
  agreed: 'All contributors with a value agree.',
  union: 'The values of all contributors are combined.',
  earliest: 'The earliest time of all contributors counts.',
  latest: 'The latest time of all contributors counts.',
  highest: 'The highest value of all contributors counts.',
  lowest: 'The lowest value of all contributors counts.',
  highest_colour: 'The most restrictive colour of all contributors counts.',
  lowest_colour: 'The least restrictive colour of all contributors counts.',
}

/** A sentence that says why a field has its value. */
export const describeOrigin = ({ rule, left_out = 0 }: FieldOrigin): string =>
  left_out === 0
    ? SENTENCES[rule]
    : `${SENTENCES[rule]} ${left_out} ${left_out === 1 ? 'item was' : 'items were'} left out, because the list would be too long.`
