import { isRecord } from '../../domain/record.ts'
import type { FoundEntity } from '../finding.ts'
import { type Json, listOf } from '../json/record.ts'
import { madeId } from '../made-id.ts'
import { attacksOfCluster } from './cluster-attacks.ts'
import { isDeleted, textOf } from './text-of.ts'

/** Entity types of MISP galaxies by name; the first match counts. */
const KINDS: readonly (readonly [form: RegExp, type: string])[] = [
  [/intrusion-set/, 'intrusion-set'],
  [/course-of-action|^d3fend|preventive-measure/, 'course-of-action'],
  [/attack-pattern|technique$|^mitre-ics-techniques$|^tea-matrix|amitt|disarm/, 'attack-pattern'],
  [/campaign/, 'campaign'],
  [/threat-actor|activity-group|^first-csirt-threat|^groups$/, 'threat-actor'],
  [/mitre-(?:\w+-){0,4}tool|^tool$|exploit-kit|^rmm-tool|^tds$/, 'tool'],
  [
    /malware|malpedia|ransomware|banker|botnet|^rat$|backdoor|stealer|^android$|cryptominer|^infostealer|wiper/,
    'malware',
  ],
]

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TAG = /^misp-galaxy:([a-z0-9-]{1,100})="(.{1,500})"$/

/**
 * Events contain neither the creation time of a cluster nor all of its details. A catalogue with the same ids, such as ATT&CK, is more
 * complete and must not be replaced, so these times are older than any version.
 */
const OLDEST = { created: '1970-01-01T00:00:00.000Z', modified: '1970-01-01T00:00:00.000Z' }

const HAS_ALIASES = new Set(['attack-pattern', 'campaign', 'intrusion-set', 'malware', 'threat-actor', 'tool'])

/** The entity type of a galaxy; undefined if its clusters are words about an event, such as sectors and countries. */
export const typeOfGalaxy = (galaxy: string): string | undefined => KINDS.find(([form]) => form.test(galaxy))?.[1]

/** Galaxies whose clusters are words about an event, but entities in a file that lists them. */
const LISTED: readonly (readonly [form: RegExp, type: string])[] = [
  [/sector|^na(?:ce|ics)$|vendor|producer|target-information/, 'identity'],
  [/country|region|location/, 'location'],
]

/** An entity with an id of its own. */
export type NamedEntity = FoundEntity & { readonly data: { readonly id: string } }

/** The entities and tags that galaxies and tags express. */
export interface RelatedEntities {
  readonly entities: readonly NamedEntity[]
  readonly tags: readonly string[]
}

/** Reads the galaxies and tags of an event, an object or an attribute. TLP tags are read elsewhere. */
export function relatedEntitiesOf(holder: Json): RelatedEntities {
  const clusters = listOf(holder.Galaxy)
    .filter(isRecord)
    .flatMap((galaxy) => listOf(galaxy.GalaxyCluster).filter(isRecord))
    .filter((cluster) => !isDeleted(cluster))
  const named = new Set(clusters.map((cluster) => textOf(cluster, 'tag_name')))
  const entities = clusters.flatMap((cluster) => entityOfCluster(cluster) ?? [])
  const tags = clusters.flatMap((cluster) => (typeOfGalaxy(textOf(cluster, 'type')) ? [] : tagOfCluster(cluster)))
  for (const tag of tagNames(holder)) {
    if (named.has(tag)) continue
    // Feeds often omit the galaxies, and only the tag remains.
    const entity = entityOfTag(tag)
    if (entity) entities.push(entity)
    else tags.push(tag)
  }
  return { entities, tags: [...new Set(tags)] }
}

/** Returns the tag names of an event, object or attribute. */
export const tagNames = (holder: Json): string[] =>
  listOf(holder.Tag)
    .filter(isRecord)
    .map((tag) => textOf(tag, 'name'))
    .filter((name) => name !== '')

const tagOfCluster = (cluster: Json): string[] => {
  const tag = textOf(cluster, 'tag_name') || textOf(cluster, 'value')
  return tag === '' ? [] : [tag]
}

const entityOfCluster = (cluster: Json): NamedEntity | undefined =>
  typeOfGalaxy(textOf(cluster, 'type')) === undefined ? undefined : clusterEntity(cluster)

/** Converts a cluster to an entity. Those of unknown galaxies get a custom type. Returns undefined for a cluster without a name. */
export function clusterEntity(cluster: Json): NamedEntity | undefined {
  const galaxy = textOf(cluster, 'type')
  const listed = LISTED.find(([form]) => form.test(galaxy))?.[1]
  const type = typeOfGalaxy(galaxy) ?? listed ?? 'custom-entity'
  const title = textOf(cluster, 'value')
  if (title === '') return undefined
  const uuid = textOf(cluster, 'uuid').toLowerCase()
  const meta = isRecord(cluster.meta) ? cluster.meta : {}
  const aliases = texts(meta.synonyms)
  const references = texts(meta.refs)
  const attacks = attacksOfCluster(galaxy, title, meta)
  const description = textOf(cluster, 'description')
  return {
    data: {
      type,
      id: UUID.test(uuid) ? `${type}--${uuid}` : madeId(type, 'misp-galaxy', title),
      title,
      ...OLDEST,
      ...(type === 'custom-entity' ? { custom_entity_type: customTypeOf(galaxy) } : {}),
      ...(description === '' ? {} : { description }),
      ...(aliases.length > 0 && HAS_ALIASES.has(type) ? { aliases } : {}),
      ...(references.length > 0
        ? { external_references: references.map((url) => ({ source_name: 'misp-galaxy', url })) }
        : {}),
    },
    meta: {},
    ...(attacks.length > 0 && { attacks }),
  }
}

const customTypeOf = (galaxy: string): string =>
  `misp-${
    galaxy
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 60) || 'galaxy'
  }`

function entityOfTag(tag: string): NamedEntity | undefined {
  const [, galaxy = '', title = ''] = TAG.exec(tag) ?? []
  const type = typeOfGalaxy(galaxy)
  if (type === undefined) return undefined
  const attacks = attacksOfCluster(galaxy, title)
  return {
    data: { type, id: madeId(type, 'misp-galaxy', title), title, ...OLDEST },
    meta: {},
    ...(attacks.length > 0 && { attacks }),
  }
}

const texts = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string' && item.trim() !== '')
