import { idOf, oneQuery } from '../../api/lists.ts'
import type { Reason } from '../../domain/match-reasons.ts'
import { isSame } from '../../forms/paths.ts'

/** An entity that a unified entity is composed from. */
export interface Contributor {
  readonly entity: string
  readonly stix_id: string
  readonly title: string
  readonly type: string
  readonly source: string
  readonly source_name: string
  readonly source_reliability: string | null
  readonly tlp_color: string | null
  readonly confidence: string | null
  readonly last_updated_at: string
  /** Whether a user put it there. */
  readonly is_assigned: boolean
  readonly reason: Reason | null
  readonly since: string
  readonly contributes: boolean
  /** Why it contributes nothing. */
  readonly why_not: string | null
}

/** Where the value of a field comes from. */
export interface FieldOrigin {
  /** Such as `data.description`. */
  readonly field: string
  readonly value: unknown
  /** The contributor that it was taken from; several for the union of lists. */
  readonly from: string | readonly string[] | null
  /** Why this value was chosen. */
  readonly rule: string
  readonly others: readonly { readonly entity: string; readonly value: unknown }[]
}

/** How a unified entity is composed. */
export interface Contributions {
  /** The URL of the unified entity; null for an entity that contributes to none. */
  readonly unified: string | null
  readonly policy: string | number | null
  readonly source: string | null
  readonly contributors: readonly Contributor[]
  readonly fields: readonly FieldOrigin[]
}

/** How a unified entity, or that of a contributor, is composed. */
export const contributionsQuery = (id: string) => oneQuery<Contributions>(`entities/${id}/contributions`)

/** The contributors that the value of a field was taken from. */
export function originsOf(
  { from }: Pick<FieldOrigin, 'from'>,
  contributors: readonly Contributor[],
): readonly Contributor[] {
  const ids = new Set([from ?? []].flat().map(idOf))
  return contributors.filter(({ entity }) => ids.has(idOf(entity)))
}

/** At most this many sources are named in a tooltip. */
const MAX_NAMED = 4

/** Where a value comes from and why, as a sentence: for the mark next to a field. */
export function originInWords(origin: FieldOrigin, contributors: readonly Contributor[]): string {
  const names = [...new Set(originsOf(origin, contributors).map(({ source_name }) => source_name))]
  if (names.length === 0) return origin.rule
  const named = names.slice(0, MAX_NAMED).join(', ')
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  return `From ${named}${more}. ${origin.rule}`
}

/** A value that was not chosen, and the contributors that have it. */
export interface OtherValue {
  readonly value: unknown
  readonly contributors: readonly Contributor[]
}

/** The values of a field that were not chosen; equal ones of several contributors appear once. */
export function otherValues(
  { others }: Pick<FieldOrigin, 'others'>,
  contributors: readonly Contributor[],
): readonly OtherValue[] {
  const byId = new Map(contributors.map((each) => [idOf(each.entity), each]))
  const values: { value: unknown; contributors: Contributor[] }[] = []
  for (const { entity, value } of others) {
    const contributor = byId.get(idOf(entity))
    const known = values.find((each) => isSame(each.value, value))
    if (!known) values.push({ value, contributors: contributor ? [contributor] : [] })
    else if (contributor) known.contributors.push(contributor)
  }
  return values
}
