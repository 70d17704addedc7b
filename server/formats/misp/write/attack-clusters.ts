import type { AttackVocabulary, AttackWords } from '../../attack-words.ts'
import type { Json } from '../../json/record.ts'
import type { ShippedEntity } from '../../shipment.ts'
import { partsOf, uuidOf } from '../../stix2/ids.ts'
import { textsIn } from '../../stix2/stix-object.ts'
import { type Cluster, galaxyTag } from './cluster-of.ts'

type Classified = Pick<ShippedEntity, 'meta'>
type Part = Pick<ShippedEntity, 'data' | 'meta'>

/** The clusters of the public collection for the techniques that an entity is classified with. */
export function attackClusters({ meta }: Classified, vocabulary: AttackVocabulary): Cluster[] {
  const words = textsIn(meta.attacks).flatMap((id) => vocabulary.wordsFor(id) ?? [])
  return [...Map.groupBy(words, ({ external_id }) => external_id).values()].flatMap((places) => {
    const [first] = places
    return first ? [clusterFor(first, places)] : []
  })
}

function clusterFor(technique: AttackWords, places: readonly AttackWords[]): Cluster {
  const { external_id, name, stix_id, isDisarm } = technique
  const galaxy = isDisarm ? 'disarm-techniques' : 'mitre-attack-pattern'
  const value = `${name} - ${external_id}`
  const uuid = partsOf(stix_id)?.uuid ?? uuidOf(stix_id)
  const tag = galaxyTag(galaxy, value)
  return { galaxy, tag, cluster: { uuid, type: galaxy, value, tag_name: tag, description: '', meta: metaOf(places) } }
}

/** The details of a cluster that say which technique it is, and below which tactics. */
export const attackMeta = ({ meta }: Classified, vocabulary: AttackVocabulary): Json =>
  metaOf(textsIn(meta.attacks).flatMap((id) => vocabulary.wordsFor(id) ?? []))

const metaOf = (words: readonly AttackWords[]): Json =>
  words.length === 0
    ? {}
    : {
        external_id: [...new Set(words.map(({ external_id }) => external_id))],
        kill_chain: [
          ...new Set(words.map(({ chain, tactic, isDisarm }) => `${isDisarm ? 'disarm-tactics' : chain}:${tactic}`)),
        ],
      }

/** The attack nodes of an entity that no cluster can express: tactics, matrices, and what is unknown. */
export const inexpressibleAttacks = ({ meta }: Classified, vocabulary: AttackVocabulary): string[] =>
  textsIn(meta.attacks).filter((id) => vocabulary.wordsFor(id) === undefined)

/** The attack nodes of an entity that an event of another entity does not name: only the clusters of attack patterns do. */
export const unnamedAttacks = ({ data, meta }: Part, vocabulary: AttackVocabulary): string[] =>
  data.type === 'attack-pattern' ? inexpressibleAttacks({ meta }, vocabulary) : textsIn(meta.attacks)
