import { z } from 'zod'
import { messageOf } from '../../engine/body.ts'
import { isStorable, refuseUnstorable } from '../../engine/storable.ts'
import { compileReader, DECLINED, type Read } from '../../fast/compiled-reader.ts'
import { attackPattern } from './data/attack-pattern.ts'
import { campaign } from './data/campaign.ts'
import { courseOfAction } from './data/course-of-action.ts'
import { customEntity } from './data/custom-entity.ts'
import { exploitTarget } from './data/exploit-target.ts'
import { identity } from './data/identity.ts'
import { incident } from './data/incident.ts'
import { indicator } from './data/indicator.ts'
import { infrastructure } from './data/infrastructure.ts'
import { intrusionSet } from './data/intrusion-set.ts'
import { location } from './data/location.ts'
import { malware } from './data/malware.ts'
import { malwareAnalysis } from './data/malware-analysis.ts'
import { note } from './data/note.ts'
import { report } from './data/report.ts'
import { threatActor } from './data/threat-actor.ts'
import { tool } from './data/tool.ts'
import { ttp } from './data/ttp.ts'
import { vendorSighting } from './data/vendor-sighting.ts'
import { readTime, time } from './records/time.ts'

/** The types of entities. */
export const entityTypes = [
  'attack-pattern',
  'campaign',
  'course-of-action',
  'custom-entity',
  'exploit-target',
  'identity',
  'incident',
  'indicator',
  'infrastructure',
  'intrusion-set',
  'location',
  'malware',
  'malware-analysis',
  'note',
  'report',
  'threat-actor',
  'tool',
  'ttp',
  'vendor-sighting',
] as const

/** One of the types of entities. */
export type EntityType = (typeof entityTypes)[number]

const dataByType = z.discriminatedUnion(
  'type',
  [
    attackPattern,
    campaign,
    courseOfAction,
    customEntity,
    exploitTarget,
    identity,
    incident,
    indicator,
    infrastructure,
    intrusionSet,
    location,
    malware,
    malwareAnalysis,
    note,
    report,
    threatActor,
    tool,
    ttp,
    vendorSighting,
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? unknownType(issue.input) : undefined) },
)

/** The data of an entity; its type decides which properties it has. */
export const entityData = dataByType.check(refuseUnstorable)

const readByType = compileReader(dataByType, new Map([[time, readTime]]))

/** A faster reader for what `entityData` accepts. */
export const readEntityData: Read = (value) => (isStorable(value) ? readByType(value) : DECLINED)

/** The data of an entity as it is stored. */
export type EntityData = z.output<typeof entityData>

/** The default half-lives in days, by type. */
export const halfLives: Record<EntityType, number> = {
  'attack-pattern': 1000,
  campaign: 1000,
  'course-of-action': 182,
  'custom-entity': 182,
  'exploit-target': 182,
  identity: 1000,
  incident: 182,
  indicator: 30,
  infrastructure: 182,
  'intrusion-set': 1000,
  location: 1000,
  malware: 1000,
  'malware-analysis': 182,
  note: 182,
  report: 182,
  'threat-actor': 1000,
  tool: 1000,
  ttp: 720,
  'vendor-sighting': 182,
}

function unknownType(data: unknown): string | undefined {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  if (type === undefined) return `is required, one of ${entityTypes.join(', ')}`
  return messageOf({ code: 'invalid_value', values: [...entityTypes], input: type })
}
