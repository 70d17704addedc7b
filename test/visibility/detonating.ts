import type { Chance } from './chance.ts'
import { named } from './chance.ts'
import { ALLOWED, type Ceiling, type Person } from './world.ts'

/** A detonator, whose reports belong to a source. */
export interface Detonator {
  readonly name: string
  readonly source: string
  readonly condition: 'active' | 'inactive' | 'suspended' | 'waiting' | 'unreachable'
  /** Who has accepted its terms. */
  readonly consents: readonly Person[]
}

/** What is detonated: content or an address that was sent, or an object of the world. */
export interface Sample {
  readonly via: 'data' | 'url' | 'file' | 'attachment' | 'observable'
  /** The object; null if it was sent. */
  readonly of: string | null
}

/** A user who asked for a detonation. */
export interface Requester {
  readonly person: Person
  /** Whether they sent what others had here. */
  readonly hasSent: boolean
  /** The entity that the sample came from. */
  readonly origin: string | null
  /** How it ended for them alone. */
  readonly outcome: 'REFUSED' | 'CANCELLED' | null
  readonly rank: number
}

/** A detonation, and its report under the key of the source of the detonator at a colour. */
export interface Detonation {
  readonly name: string
  readonly detonator: string
  readonly sample: Sample
  readonly state: 'WAITING' | 'RUNNING' | 'FINISHED' | 'FAILED'
  readonly colour: Ceiling
  /** The entity of the analysis. */
  readonly entity: string | null
  /** The attachment with the same content as the report; null if that is no longer kept. */
  readonly report: string | null
  readonly requesters: readonly Requester[]
}

export interface Detonating {
  readonly detonators: readonly Detonator[]
  readonly detonations: readonly Detonation[]
}

/** What samples can be. */
interface Subjects {
  readonly files: readonly string[]
  readonly attachments: readonly string[]
  readonly addresses: readonly string[]
  readonly entities: readonly string[]
}

const CONDITIONS = ['active', 'active', 'active', 'inactive', 'suspended', 'waiting', 'unreachable'] as const
const STATES = ['WAITING', 'RUNNING', 'FINISHED', 'FINISHED', 'FINISHED', 'FAILED'] as const

/** What the detonators of a world are asked and found, given sources for their reports. */
export function detonatingOf(
  chance: Chance,
  sources: readonly string[],
  subjects: Subjects,
  people: readonly Person[],
): Detonating {
  const detonators = sources.slice(0, 1 + chance.below(2)).map((source, i) => ({
    name: `detonator${i}`,
    source,
    condition: chance.pick(CONDITIONS),
    consents: chance.some(people, 0.7),
  }))
  return {
    detonators,
    detonations: named(chance, 'detonation', 1, 6).map((name) => ({
      name,
      detonator: chance.pick(detonators).name,
      sample: sampleOf(chance, subjects),
      state: chance.pick(STATES),
      colour: chance.pick(ALLOWED),
      entity: chance.flip(0.8) ? chance.pick(subjects.entities) : null,
      report: chance.flip(0.8) ? chance.pick(subjects.attachments) : null,
      requesters: requestersOf(chance, subjects, people),
    })),
  }
}

function sampleOf(chance: Chance, { files, attachments, addresses }: Subjects): Sample {
  const via = chance.pick(['data', 'url', 'file', 'attachment', 'observable'] as const)
  const of = { data: [], url: [], file: files, attachment: attachments, observable: addresses }[via]
  return of.length === 0 ? { via: via === 'data' ? via : 'url', of: null } : { via, of: chance.pick(of) }
}

function requestersOf(chance: Chance, { entities }: Subjects, people: readonly Person[]): Requester[] {
  const some = chance.some(people, 0.45)
  return (some.length > 0 ? some : [chance.pick(people)]).map((person) => ({
    person,
    hasSent: chance.flip(0.3),
    origin: chance.flip(0.4) ? chance.pick(entities) : null,
    outcome: chance.flip(0.25) ? chance.pick(['REFUSED', 'CANCELLED']) : null,
    rank: chance.below(3),
  }))
}
