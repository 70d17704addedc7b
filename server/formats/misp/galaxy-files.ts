import { isRecord } from '../../domain/record.ts'
import { type Document, DocumentError } from '../document.ts'
import type { Finding } from '../finding.ts'
import { readItems } from '../json/read-items.ts'
import { type Json, listOf } from '../json/record.ts'
import { clusterEntity, type NamedEntity, UUID } from './galaxies.ts'
import { isDeleted, textOf } from './text-of.ts'

/** Properties that apply to all clusters of a document. */
interface Header {
  readonly type: string
  readonly version: number
}

/** A reference from one cluster to another. */
interface Relation {
  readonly uuid: string
  readonly key: string
}

/**
 * Reads the clusters of a galaxy as entities: from a file of the public collection, where they are `values` of one type, or from a MISP
 * export, where each is a `GalaxyCluster`. Only relations within the document are read, because for other clusters only the UUID is known,
 * not the entity type.
 */
export async function* readGalaxyFile(document: Document): AsyncGenerator<Finding> {
  const header = await headerOf(document)
  const ids = new Map<string, string>()
  let count = 0
  for await (const { at, cluster, losses } of clustersOf(document, header)) {
    count++
    const entity = isDeleted(cluster) ? undefined : entityOf(cluster, header)
    if (isDeleted(cluster)) yield { kind: 'lost', at, losses: ['this cluster was deleted'] }
    else if (!entity) yield { kind: 'lost', at, losses: ['the cluster has no value'] }
    else {
      ids.set(textOf(cluster, 'uuid').toLowerCase(), entity.data.id)
      yield { kind: 'entity', at, entity, ...(losses.length > 0 && { losses }) }
    }
  }
  if (count === 0) throw new DocumentError('The document is a MISP galaxy without clusters.')
  yield* relationsOf(document, header, ids)
}

async function* relationsOf(
  document: Document,
  header: Header,
  ids: ReadonlyMap<string, string>,
): AsyncGenerator<Finding> {
  let elsewhere = 0
  for await (const { at, cluster } of clustersOf(document, header)) {
    const source = ids.get(textOf(cluster, 'uuid').toLowerCase())
    if (source === undefined) continue
    for (const { uuid, key } of relationsIn(cluster)) {
      const target = ids.get(uuid)
      if (target === undefined) elsewhere++
      else if (target !== source) yield { kind: 'relationship', at, relationship: { data: { source, target, key } } }
    }
  }
  if (elsewhere > 0) {
    yield { kind: 'lost', at: 'related', losses: [`${elsewhere} relations to clusters in other galaxies are omitted`] }
  }
}

async function headerOf(document: Document): Promise<Header> {
  for await (const found of readItems(document, ['values', ''])) {
    if (!('rest' in found)) continue
    const version = Number(found.rest.version)
    return { type: textOf(found.rest, 'type'), version: Number.isSafeInteger(version) && version > 0 ? version : 1 }
  }
  return { type: '', version: 1 }
}

/** A cluster, its location, and its losses of numeric precision. */
interface Located {
  readonly at: string
  readonly cluster: Json
  readonly losses: readonly string[]
}

async function* clustersOf(document: Document, { type }: Header): AsyncGenerator<Located> {
  for await (const found of readItems(document, ['values', ''])) {
    if ('rest' in found || !isRecord(found.value)) continue
    const { value } = found
    const cluster = isRecord(value.GalaxyCluster) ? value.GalaxyCluster : value
    const named = type === '' ? cluster : { type, ...cluster }
    yield { at: `${found.list}[${found.index}]`, cluster: named, losses: found.losses }
  }
}

function entityOf(cluster: Json, { version }: Header): NamedEntity | undefined {
  const meta = isRecord(cluster.meta) ? cluster.meta : elementsOf(cluster)
  const entity = clusterEntity({ ...cluster, meta })
  if (!entity) return undefined
  const [country] = [meta.country].flat().filter((code) => typeof code === 'string')
  return {
    ...entity,
    data: {
      ...entity.data,
      // Later than the cluster data in events, and than earlier versions of the file.
      modified: new Date(version * 1000).toISOString(),
      ...(country === undefined ? {} : { x_misp_country: country }),
      x_misp_galaxy: { type: textOf(cluster, 'type'), ...otherMeta(meta) },
    },
  }
}

/** MISP exports list the properties of a cluster as keys and values. */
function elementsOf(cluster: Json): Json {
  const pairs = listOf(cluster.GalaxyElement)
    .filter(isRecord)
    .map((element) => [textOf(element, 'key'), textOf(element, 'value')] as const)
    .filter(([key, value]) => key !== '' && value !== '')
  const keys = new Set(pairs.map(([key]) => key))
  return Object.fromEntries(
    [...keys].map((name) => [name, pairs.flatMap(([key, value]) => (key === name ? value : []))]),
  )
}

/** Properties of a cluster without a field of their own, kept with the entity. */
const otherMeta = ({ synonyms: _synonyms, refs: _refs, country: _country, ...rest }: Json): Json =>
  Object.keys(rest).length > 0 ? { meta: rest } : {}

function relationsIn(cluster: Json): Relation[] {
  const listed = listOf(cluster.related)
    .filter(isRecord)
    .map((one) => [textOf(one, 'dest-uuid'), textOf(one, 'type')] as const)
  const exported = listOf(cluster.GalaxyClusterRelation)
    .filter(isRecord)
    .map(
      (one) => [textOf(one, 'referenced_galaxy_cluster_uuid'), textOf(one, 'referenced_galaxy_cluster_type')] as const,
    )
  return [...listed, ...exported]
    .filter(([uuid]) => UUID.test(uuid))
    .map(([uuid, type]) => ({ uuid: uuid.toLowerCase(), key: keyOf(type) }))
}

/** Relationship keys are lower-case words with hyphens. `similar` and the like have no key of their own. */
const keyOf = (type: string): string => {
  const key = type.toLowerCase().replaceAll(/[\s_]+/g, '-')
  return /^[a-z0-9-]{1,256}$/.test(key) && key !== 'similar' ? key : 'related-to'
}
