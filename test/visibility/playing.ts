import type { Chance } from './chance.ts'
import { named } from './chance.ts'
import type { Person } from './world.ts'

const COLLECTIONS = ['entities', 'observables', 'files'] as const
const STATES = ['PENDING', 'WAITING', 'SUCCESS', 'WARNING', 'FAILURE', 'REVOKED'] as const
const DRAFTS = ['tag', 'condition', 'ticket', 'create_entity', 'rate'] as const

/** A playbook that every user of the world may read. */
export interface Playbook {
  readonly name: string
  /** With whose permissions it runs. */
  readonly owner: Person
  readonly collection: (typeof COLLECTIONS)[number]
  readonly condition: 'active' | 'inactive' | 'paused'
  readonly steps: readonly (typeof DRAFTS)[number][]
}

/** A playbook that ran on an object, and what its steps made. */
export interface PlaybookRun {
  readonly name: string
  readonly playbook: string
  /** Null if it was deleted. */
  readonly object: string | null
  /** Who started it by hand. */
  readonly starter: Person | null
  readonly state: (typeof STATES)[number]
  readonly ticket: string | null
  readonly entity: string | null
  readonly exported: string | null
  readonly detonations: readonly string[]
  readonly observables: readonly string[]
}

export interface Playing {
  readonly playbooks: readonly Playbook[]
  readonly playbookRuns: readonly PlaybookRun[]
}

/** What runs are about, and what their steps make. */
type Made = Readonly<
  Record<'entities' | 'observables' | 'files' | 'tickets' | 'exports' | 'detonations', readonly string[]>
>

/** The playbooks of a world, and their runs. */
export function playingOf(chance: Chance, made: Made, people: readonly Person[]): Playing {
  const playbooks = named(chance, 'playbook', 1, 2).map((name) => ({
    name,
    owner: chance.pick(people),
    collection: chance.pick(['entities', 'entities', ...COLLECTIONS] as const),
    condition: chance.pick(['active', 'inactive', 'paused'] as const),
    steps: Array.from({ length: 1 + chance.below(3) }, () => chance.pick(DRAFTS)),
  }))
  const maybe = (names: readonly string[]) => (names.length > 0 && chance.flip(0.6) ? chance.pick(names) : null)
  return {
    playbooks,
    playbookRuns: named(chance, 'playrun', 1, 6).map((name) => {
      const { name: playbook, collection } = chance.pick(playbooks)
      return {
        name,
        playbook,
        object: chance.flip(0.9) ? chance.pick(made[collection]) : null,
        starter: chance.flip(0.4) ? chance.pick(people) : null,
        state: chance.pick(STATES),
        ticket: maybe(made.tickets),
        entity: maybe(made.entities),
        exported: maybe(made.exports),
        detonations: chance.some(made.detonations, 0.5),
        observables: chance.some(made.observables, 0.4),
      }
    }),
  }
}
