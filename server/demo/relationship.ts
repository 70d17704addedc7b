import type { EntityType } from '../intelligence/entities/entity-data.ts'
import { typeOf } from './identity.ts'
import { randomOf, streams } from './random.ts'

/** A relationship between two entities, by their indexes. */
export interface DemoRelationship {
  readonly key: string
  readonly source: number
  readonly target: number
}

const RULES: Partial<Record<EntityType, readonly (readonly [key: string, target: EntityType])[]>> = {
  indicator: [
    ['indicates', 'malware'],
    ['indicates', 'campaign'],
    ['indicates', 'threat-actor'],
    ['indicates', 'ttp'],
  ],
  report: [
    ['refers-to', 'threat-actor'],
    ['refers-to', 'malware'],
    ['refers-to', 'indicator'],
    ['refers-to', 'campaign'],
  ],
  malware: [
    ['exploits', 'exploit-target'],
    ['communicates-with', 'infrastructure'],
    ['variant-of', 'malware'],
  ],
  'vendor-sighting': [['sighting-of', 'indicator']],
  'threat-actor': [
    ['uses', 'malware'],
    ['uses', 'ttp'],
    ['uses', 'tool'],
    ['targets', 'identity'],
  ],
  campaign: [
    ['attributed-to', 'threat-actor'],
    ['uses', 'malware'],
    ['uses', 'ttp'],
  ],
  'intrusion-set': [
    ['attributed-to', 'threat-actor'],
    ['uses', 'attack-pattern'],
  ],
  infrastructure: [['hosts', 'malware']],
  incident: [
    ['attributed-to', 'campaign'],
    ['uses', 'ttp'],
  ],
  'course-of-action': [['mitigates', 'ttp']],
  'malware-analysis': [['analysis-of', 'malware']],
}

/** The number of candidates tried for a target of the right type before any other is taken. */
const REACH = 64

/** Creates the relationship of a seed at an index, among a number of entities; early entities have more relationships. */
export function demoRelationship(seed: number, index: number, entityCount: number): DemoRelationship {
  if (entityCount < 2) throw new RangeError('A relationship needs two entities.')
  const random = randomOf(seed, index, streams.relationship)
  const source = index % entityCount
  const rules = RULES[typeOf(seed, source)]
  const rank = random.rank(32 - Math.clz32(entityCount))
  const start = rank < entityCount ? rank : random.below(entityCount)
  const [key, type] = rules ? random.pick(rules) : ['related-to', undefined]
  for (let step = 0; step < REACH; step++) {
    const target = (start + step) % entityCount
    if (target !== source && (type === undefined || typeOf(seed, target) === type)) return { key, source, target }
  }
  return { key: 'related-to', source, target: start === source ? (start + 1) % entityCount : start }
}
