import type { EntityType } from '../intelligence/entities/entity-data.ts'
import { type Random, randomOf, streams } from './random.ts'

/** The type and the permanent id of an entity. */
export interface Identity {
  readonly type: EntityType
  readonly id: string
}

/** The number of entities of each type per thousand. */
const SHARES: readonly (readonly [EntityType, number])[] = [
  ['indicator', 450],
  ['report', 120],
  ['malware', 80],
  ['vendor-sighting', 70],
  ['ttp', 45],
  ['threat-actor', 40],
  ['campaign', 40],
  ['infrastructure', 25],
  ['attack-pattern', 20],
  ['incident', 20],
  ['exploit-target', 20],
  ['intrusion-set', 15],
  ['tool', 15],
  ['course-of-action', 10],
  ['identity', 8],
  ['malware-analysis', 8],
  ['note', 7],
  ['location', 4],
  ['custom-entity', 3],
]

const TYPES = SHARES.flatMap(([type, share]) => Array.from({ length: share }, () => type))

/** The type of an entity, without generating the rest. */
export const typeOf = (seed: number, index: number): EntityType => randomOf(seed, index, streams.identity).pick(TYPES)

/** The type and id of an entity. */
export function identityOf(seed: number, index: number): Identity {
  const random = randomOf(seed, index, streams.identity)
  const type = random.pick(TYPES)
  const [first, second, third, last] = [
    eightDigits(random),
    eightDigits(random),
    eightDigits(random),
    eightDigits(random),
  ]
  // Version 8 of RFC 9562: a UUID with custom content.
  const uuid = `${first}-${second.slice(0, 4)}-8${second.slice(5)}-a${third.slice(1, 4)}-${third.slice(4)}${last}`
  return { type, id: `{https://corvus.example/}${type}-${uuid}` }
}

const eightDigits = (random: Random): string => random.next().toString(16).padStart(8, '0')
