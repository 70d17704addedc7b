import type { Exclusion } from '../../../domain/exclusions.ts'
import { TLP, type Tlp, tlpRank } from '../../../domain/tlp.ts'

/** An observable as a requester sees it. */
export interface Candidate {
  readonly id: number
  readonly type: string
  readonly value: string
  /** The rank of the least restrictive colour at which the requester sees it. */
  readonly rank: number
  /** The enrichers whose results for it the requester sees, and that are still valid and not above what a new look-up would be. */
  readonly fresh: readonly number[]
}

/** What decides whether an enricher looks an observable up. */
export interface Rules {
  readonly id: number
  readonly name: string
  readonly supported_observable_types: readonly string[]
  readonly max_tlp: Tlp | null
}

/** What happens to an observable at an enricher: it is looked up, its stored result is used, or it must not be sent. */
export type Verdict =
  | { readonly kind: 'look-up' }
  | { readonly kind: 'cached' }
  | { readonly kind: 'skipped'; readonly reason: string }

/** Decides it; undefined if the enricher does not look such observables up. Forecasts and look-ups share this decision. */
export function classify(
  candidate: Candidate,
  enricher: Rules,
  exclusion: Exclusion,
  isForced = false,
): Verdict | undefined {
  if (!enricher.supported_observable_types.includes(candidate.type)) return undefined
  const reason = refusalOf(candidate, enricher, exclusion)
  if (reason !== undefined) return { kind: 'skipped', reason }
  return { kind: !isForced && candidate.fresh.includes(enricher.id) ? 'cached' : 'look-up' }
}

/** Why an observable must not leave the platform through an enricher; undefined if it may. */
export function refusalOf(
  { type, value, rank }: Pick<Candidate, 'type' | 'value' | 'rank'>,
  { max_tlp }: Pick<Rules, 'max_tlp'>,
  exclusion: Exclusion,
): string | undefined {
  const list = exclusion(type, value)
  if (list !== undefined) return `It is on the exclusion list '${list}'.`
  if (max_tlp !== null && rank > tlpRank(max_tlp)) {
    return `It is TLP ${TLP[rank]}, and the enricher may look up at most ${max_tlp}.`
  }
  return undefined
}
