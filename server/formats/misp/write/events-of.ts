import { isRecord } from '../../../domain/record.ts'
import { listOf } from '../../json/record.ts'
import type { Shipment, ShippedEntity, Writer } from '../../shipment.ts'
import { attackClusters, attackMeta, unnamedAttacks } from './attack-clusters.ts'
import { CLUSTER_TYPES, type Cluster, clusterOf } from './cluster-of.ts'
import { eventOf, type MispEvent, type Part } from './event-of.ts'

type Lose = Parameters<Writer>[1]

/** Entity types that contain others. Each becomes an event with its parts. */
const CONTAINERS: ReadonlySet<string> = new Set(['report', 'incident', 'campaign'])

/** Maximum number of observables held in memory for the events they belong to. Beyond that, an entity gets its own event. */
const WAITING_LIMIT = 200_000

/**
 * Converts a shipment to MISP events. Reports, incidents and campaigns become events. Related entities become part of these events:
 * observables as attributes; actors, malware, tools and techniques as galaxy clusters. Everything else gets its own event.
 */
export async function* eventsOf(shipment: Shipment, lose: Lose): AsyncGenerator<MispEvent> {
  const links = await linksOf(shipment)
  const parts = new Map<string, Part>()
  const clusters = new Map<string, Cluster>()
  const neighboursOf = (id: string): readonly string[] => [...(links.neighbours.get(id) ?? [])]
  const clustersOf = (entity: ShippedEntity, members: readonly string[]) => {
    const near = [entity.data.id, ...members, ...members.flatMap(neighboursOf), ...neighboursOf(entity.data.id)]
    return distinct([...[...new Set(near)].flatMap((id) => clusters.get(id) ?? []), ...ownAttacks(entity)])
  }
  // An attack pattern is a cluster itself, which names its techniques.
  const ownAttacks = (entity: ShippedEntity) =>
    entity.data.type === 'attack-pattern' ? [] : attackClusters(entity, shipment.attacks)
  for await (const entity of shipment.entities(CLUSTER_TYPES)) {
    const more = entity.data.type === 'attack-pattern' ? attackMeta(entity, shipment.attacks) : {}
    const cluster = clusterOf(entity, more)
    if (cluster) clusters.set(entity.data.id, cluster)
  }
  let waiting = 0
  for await (const entity of shipment.entities()) {
    const { data, observables } = entity
    if (links.containers.has(data.id)) continue
    const isPart = neighboursOf(data.id).some((id) => links.containers.has(id))
    if (isPart && waiting + observables.length <= WAITING_LIMIT) {
      waiting += observables.length
      parts.set(data.id, { title: data.title, observables })
      if (!clusters.has(data.id)) lose(data.id, 'only its observables are exported in the events that it belongs to')
      if (entity.attachments.length > 0)
        lose(data.id, 'its attachments are not exported in the events that it belongs to')
      if (unnamedAttacks(entity, shipment.attacks).length > 0)
        lose(data.id, 'its ATT&CK classifications are not exported in the events that it belongs to')
    } else yield eventOf(entity, [], clustersOf(entity, []), shipment, lose)
  }
  for await (const entity of shipment.entities(CONTAINERS)) {
    const members = neighboursOf(entity.data.id)
    const own = members.flatMap((id) => parts.get(id) ?? [])
    yield eventOf(entity, own, clustersOf(entity, members), shipment, lose)
  }
}

/** The same technique may be an entity and a classification: one cluster has the details of both. */
function distinct(clusters: readonly Cluster[]): Cluster[] {
  const byUuid = new Map<unknown, Cluster>()
  for (const each of clusters) {
    const { uuid, meta } = each.cluster
    const known = byUuid.get(uuid)
    const details = isRecord(meta) && known && isRecord(known.cluster.meta) ? { ...meta, ...known.cluster.meta } : meta
    byUuid.set(uuid, known ? { ...known, cluster: { ...known.cluster, meta: details } } : each)
  }
  return [...byUuid.values()]
}

interface Links {
  /** The STIX ids of the reports, incidents and campaigns in the shipment. */
  readonly containers: ReadonlySet<string>
  /** Related entities in both directions, by STIX id. */
  readonly neighbours: ReadonlyMap<string, ReadonlySet<string>>
}

async function linksOf(shipment: Shipment): Promise<Links> {
  const containers = new Set<string>()
  const neighbours = new Map<string, Set<string>>()
  const join = (one: string, other: string): void => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to))
  }
  for await (const { data } of shipment.entities(CONTAINERS)) {
    containers.add(data.id)
    for (const id of listOf(data.object_refs)) if (typeof id === 'string') join(data.id, id)
  }
  for await (const { data } of shipment.relationships()) join(data.source, data.target)
  return { containers, neighbours }
}
