import type { Chance } from './chance.ts'
import { named } from './chance.ts'
import type { Entity, Person } from './world.ts'

/** Two entities that may be the same. */
export interface Suggestion {
  readonly name: string
  readonly first: string
  readonly second: string
  readonly state: 'open' | 'accepted' | 'refused'
  /** Who decided. */
  readonly owner: Person
}

/** An entity came to contribute to a unified entity. */
export interface JoinEvent {
  readonly name: string
  readonly entity: string
  readonly unified: string
}

/** A policy, and the group whose source its unified entities belong to. */
export interface Policy {
  readonly name: string
  readonly group: string
  readonly unified: readonly string[]
}

export interface Consolidating {
  readonly policies: readonly Policy[]
  readonly joinEvents: readonly JoinEvent[]
  readonly suggestions: readonly Suggestion[]
}

const STATES = ['open', 'open', 'accepted', 'refused'] as const

/** Why the unified entities of a world exist, and which others may be the same. */
export function consolidatingOf(
  chance: Chance,
  groups: readonly string[],
  entities: readonly string[],
  unified: readonly Entity[],
  people: readonly Person[],
): Consolidating {
  const events = unified.flatMap(({ name, unifies }) => unifies.map((entity) => ({ entity, unified: name })))
  const pairs = Array.from({ length: chance.below(4) }, () => [chance.pick(entities), chance.pick(entities)].toSorted())
  const distinct = new Map(pairs.filter(([a, b]) => a !== b).map((pair) => [pair.join(), pair]))
  return {
    policies: named(chance, 'policy', 1, 1).map((name) => ({
      name,
      group: chance.pick(groups),
      unified: chance.some(unified, 0.7).map((each) => each.name),
    })),
    joinEvents: events.map((event, i) => ({ name: `event${i}`, ...event })),
    suggestions: [...distinct.values()].map(([first = '', second = ''], i) => ({
      name: `suggestion${i}`,
      first,
      second,
      state: chance.pick(STATES),
      owner: chance.pick(people),
    })),
  }
}
