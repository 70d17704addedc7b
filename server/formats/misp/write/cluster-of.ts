import { isRecord } from '../../../domain/record.ts'
import { type Json, listOf } from '../../json/record.ts'
import type { ShippedEntity } from '../../shipment.ts'
import { partsOf, uuidOf } from '../../stix2/ids.ts'
import { textOf } from '../text-of.ts'

/** The galaxies of entity types, as named in the public collection. */
const GALAXIES: Readonly<Record<string, string>> = {
  'attack-pattern': 'mitre-attack-pattern',
  'course-of-action': 'mitre-course-of-action',
  'intrusion-set': 'mitre-intrusion-set',
  malware: 'malpedia',
  'threat-actor': 'threat-actor',
  tool: 'tool',
}

/** Entity types that are galaxy clusters in MISP. */
export const CLUSTER_TYPES: ReadonlySet<string> = new Set(Object.keys(GALAXIES))

const DESCRIPTION_LENGTH = 2000

/** A cluster in an event, and its tag. */
export interface Cluster {
  readonly galaxy: string
  readonly tag: string
  readonly cluster: Json
}

/** The tag of a cluster. */
export const galaxyTag = (galaxy: string, value: string): string => `misp-galaxy:${galaxy}="${value}"`

/** Converts an entity to a cluster of its galaxy, with more details; undefined for other types. */
export function clusterOf({ data }: Pick<ShippedEntity, 'data'>, more: Json = {}): Cluster | undefined {
  const known = GALAXIES[data.type]
  if (known === undefined) return undefined
  const said = isRecord(data.x_misp_galaxy) ? textOf(data.x_misp_galaxy, 'type') : ''
  const galaxy = said || known
  const tag = galaxyTag(galaxy, data.title)
  const synonyms = listOf(data.aliases).filter((alias) => typeof alias === 'string')
  const refs = listOf(data.external_references).flatMap((one) => (isRecord(one) ? textOf(one, 'url') || [] : []))
  return {
    galaxy,
    tag,
    cluster: {
      uuid: partsOf(data.id)?.uuid ?? uuidOf(data.id),
      type: galaxy,
      value: data.title,
      tag_name: tag,
      description: textOf(data, 'description').slice(0, DESCRIPTION_LENGTH),
      meta: { ...(synonyms.length > 0 ? { synonyms } : {}), ...(refs.length > 0 ? { refs } : {}), ...more },
    },
  }
}

/** Groups clusters by galaxy, as in an event. */
export function galaxiesOf(clusters: readonly Cluster[]): Json[] {
  const byGalaxy = Map.groupBy(clusters, ({ galaxy }) => galaxy)
  return [...byGalaxy].map(([type, some]) => ({
    type,
    name: type,
    uuid: uuidOf('misp-galaxy', type),
    GalaxyCluster: some.map(({ cluster }) => cluster),
  }))
}
