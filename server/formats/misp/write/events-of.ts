import { listOf } from '../../json/record.ts'
import type { Shipment, ShippedEntity, Writer } from '../../shipment.ts'
import { CLUSTER_TYPES, type Cluster, clusterOf } from './cluster-of.ts'
import { eventOf, type MispEvent, type Part } from './event-of.ts'

type Lose = Parameters<Writer>[1]

/** The types of entities that hold others: each of them becomes an event with what belongs to it. */
const CONTAINERS: ReadonlySet<string> = new Set(['report', 'incident', 'campaign'])

/** As many observables of parts wait in memory for the events that they go into; beyond that, an entity has an event of its own. */
const WAITING_LIMIT = 200_000

/**
 * What a shipment is as events of MISP. Reports, incidents and campaigns are events. What is related to one of them goes into its
 * event: observables as attributes, actors, malware, tools and techniques as clusters of galaxies. Everything else has an event
 * of its own.
 */
export async function* eventsOf(shipment: Shipment, lose: Lose): AsyncGenerator<MispEvent> {
  const links = await linksOf(shipment)
  const parts = new Map<string, Part>()
  const clusters = new Map<string, Cluster>()
  const neighboursOf = (id: string): readonly string[] => [...(links.neighbours.get(id) ?? [])]
  const clustersOf = (entity: ShippedEntity, members: readonly string[]) => {
    const near = [entity.data.id, ...members, ...members.flatMap(neighboursOf), ...neighboursOf(entity.data.id)]
    return [...new Set(near)].flatMap((id) => clusters.get(id) ?? [])
  }
  for await (const entity of shipment.entities(CLUSTER_TYPES)) {
    const cluster = clusterOf(entity)
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
      if (!clusters.has(data.id)) lose(data.id, 'only its observables go into the events that it belongs to')
      if (entity.attachments.length > 0) lose(data.id, 'its attachments do not go into the events that it belongs to')
    } else yield eventOf(entity, [], clustersOf(entity, []), shipment, lose)
  }
  for await (const entity of shipment.entities(CONTAINERS)) {
    const members = neighboursOf(entity.data.id)
    const own = members.flatMap((id) => parts.get(id) ?? [])
    yield eventOf(entity, own, clustersOf(entity, members), shipment, lose)
  }
}

interface Links {
  /** The STIX ids of the reports, incidents and campaigns of the shipment. */
  readonly containers: ReadonlySet<string>
  /** What is related to what, in either direction, by STIX id. */
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
