import type { Chance } from './chance.ts'
import { named } from './chance.ts'
import { ALLOWED, type Ceiling, type Person } from './world.ts'

/** An enricher, whose findings belong to a source of its own. */
export interface Enricher {
  readonly name: string
  readonly source: string
  readonly condition: 'active' | 'inactive' | 'suspended' | 'waiting' | 'unreachable'
  /** Who started its latest run. */
  readonly starter: Person
  readonly used: number
}

/** The latest result of an enricher for an observable, under the key of its source at a colour. */
export interface Enrichment {
  readonly name: string
  readonly enricher: string
  readonly observable: string
  readonly colour: Ceiling
  readonly state: 'PENDING' | 'FOUND' | 'EMPTY' | 'FAILED' | 'SKIPPED'
  readonly isValid: boolean
  /** Whether the answer of the service is kept. */
  readonly hasRaw: boolean
  /** Whether a look-up is in the queue. */
  readonly isQueued: boolean
  readonly requester: Person
}

/** How two observables are related according to an enricher. */
export interface ObservableLink {
  readonly name: string
  readonly enricher: string
  readonly observable: string
  readonly target: string
  readonly colour: Ceiling
}

export interface Enriching {
  readonly enrichers: readonly Enricher[]
  readonly enrichments: readonly Enrichment[]
  readonly observableLinks: readonly ObservableLink[]
  readonly enricherDefinitions: readonly { readonly name: string }[]
  readonly enricherTables: readonly { readonly name: string }[]
}

const CONDITIONS = ['active', 'active', 'active', 'inactive', 'suspended', 'waiting', 'unreachable'] as const
const STATES = ['PENDING', 'FOUND', 'FOUND', 'FOUND', 'EMPTY', 'FAILED', 'SKIPPED'] as const

/** What the enrichers of a world found, given the sources of their findings. */
export function enrichingOf(
  chance: Chance,
  sources: readonly string[],
  observables: readonly string[],
  people: readonly Person[],
): Enriching {
  const enrichers = sources.map((source, i) => ({
    name: `enricher${i}`,
    source,
    condition: chance.pick(CONDITIONS),
    starter: chance.pick(people),
    used: chance.below(3),
  }))
  const results = enrichers.flatMap((enricher) =>
    chance.some(observables, 0.5).map((name) => [enricher.name, name] as const),
  )
  return {
    enrichers,
    enrichments: results.map(([enricher, observable], i) => {
      const state = chance.pick(STATES)
      return {
        name: `enrichment${i}`,
        enricher,
        observable,
        colour: chance.pick(ALLOWED),
        state,
        isValid: chance.flip(0.7),
        hasRaw: state === 'FOUND' || (state === 'EMPTY' && chance.flip()),
        isQueued: state === 'PENDING' || chance.flip(0.2),
        requester: chance.pick(people),
      }
    }),
    observableLinks: linksOf(chance, enrichers, observables),
    enricherDefinitions: named(chance, 'definition', 0, 1).map((name) => ({ name })),
    enricherTables: named(chance, 'table', 0, 1).map((name) => ({ name })),
  }
}

function linksOf(chance: Chance, enrichers: readonly Enricher[], observables: readonly string[]): ObservableLink[] {
  const links = enrichers.flatMap((enricher) =>
    chance.some(observables, 0.3).flatMap((observable) => {
      const target = chance.pick(observables)
      return target === observable
        ? []
        : [{ enricher: enricher.name, observable, target, colour: chance.pick(ALLOWED) }]
    }),
  )
  return links.map((link, i) => ({ name: `link${i}`, ...link }))
}
