import { TLP, type Tlp } from '../../../domain/tlp.ts'
import type { StoredMeta } from '../../../intelligence/entities/state.ts'
import { composeValue } from './compose-data.ts'
import { type Choices, type Contributor, isPreferred } from './contributor.ts'
import { extremeNumber, extremeTime, type Found, firstOf, saidBy } from './values.ts'

/** The colour of a unified entity and its rank. */
export interface Colour extends Found {
  readonly value: Tlp | null
  readonly rank: number
}

/** The colour that the configuration asks for. If no contributor is of the preferred source, the most restrictive one. */
export function colourOf(contributors: readonly Contributor[], choices: Choices): Colour {
  const preferred = contributors.find((contributor) => isPreferred(contributor, choices))
  const ranks = contributors.map(({ rank }) => rank)
  const isChosen = choices.tlp_choice === 'preferred_source' && preferred !== undefined
  const rank = isChosen ? preferred.rank : Math[choices.tlp_choice === 'lowest' ? 'min' : 'max'](...ranks)
  const rule = isChosen ? 'preferred_source' : choices.tlp_choice === 'lowest' ? 'lowest_colour' : 'highest_colour'
  const from = isChosen ? [preferred] : contributors.filter((contributor) => contributor.rank === rank)
  // No colour and NONE are equally restrictive.
  const value = rank > 0 ? (TLP[rank] ?? 'RED') : from.some(({ meta }) => meta.tlp_color) ? 'NONE' : null
  return { value, rank, origin: { from: from.map(({ id }) => id), rule } }
}

type Compose = (contributors: readonly Contributor[], choices: Choices, name: string) => Found | undefined

/** The members of the meta that neither the first contributor decides nor a list is. */
const MEMBERS: Readonly<Record<string, Compose>> = {
  half_life: (contributors, choices, name) => {
    const said = saidOf(contributors, name)
    const { half_life_choice: choice } = choices
    if (choice === 'highest' || choice === 'lowest') return extremeNumber(said, choice)
    if (choice === 'preferred_source') return firstOf(said, choices)
    // Only the time of the change counts, and the usual order where that is the same.
    const latest = said.reduce((max, { by }) => (by.modified > max ? by.modified : max), '')
    const [winner] = said.filter(({ by }) => by.modified === latest)
    return (
      winner && { value: winner.value, origin: { from: [winner.by.id], rule: said.length === 1 ? 'only' : 'modified' } }
    )
  },
  estimated_threat_start_time: (contributors, _, name) => extremeTime(saidOf(contributors, name), 'earliest'),
  estimated_observed_time: (contributors, _, name) => extremeTime(saidOf(contributors, name), 'earliest'),
  estimated_threat_end_time: (contributors, _, name) => extremeTime(saidOf(contributors, name), 'latest'),
  taxonomies: (contributors, choices, name) => {
    const found = composeValue(name, saidOf(contributors, name), choices)
    return found && { ...found, value: (found.value as number[]).toSorted((a, b) => a - b) }
  },
}

const saidOf = (contributors: readonly Contributor[], name: string) =>
  saidBy(contributors, ({ meta }) => meta[name as keyof StoredMeta])

/** The meta of a unified entity, member by member, from contributors in the order of precedence. */
export function composeMeta(contributors: readonly Contributor[], choices: Choices): Map<string, Found> {
  const names = new Set(contributors.flatMap(({ meta }) => Object.keys(meta)))
  names.delete('tlp_color')
  const found = new Map<string, Found>()
  for (const name of [...names].sort()) {
    const compose = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
    const value = compose
      ? compose(contributors, choices, name)
      : composeValue(name, saidOf(contributors, name), choices)
    if (value) found.set(name, value)
  }
  return found
}
