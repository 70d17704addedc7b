import { v5 } from 'uuid'
import { isRecord } from '../../../domain/record.ts'
import type { Json } from '../../json/record.ts'
import type { Shipment, ShippedEntity, ShippedObservable, Writer } from '../../shipment.ts'
import { partsOf, uuidOf } from '../../stix2/ids.ts'
import { descriptionUuid, textOf } from '../text-of.ts'
import { inexpressibleAttacks } from './attack-clusters.ts'
import { attributeOf } from './attribute-of.ts'
import { type Cluster, galaxiesOf } from './cluster-of.ts'

type Lose = Parameters<Writer>[1]

/** Maximum bytes of attachments per event, because MISP reads an event as a whole. */
const ATTACHMENTS_LIMIT = 16 * 1024 * 1024

/** A related entity that is written into an event. */
export interface Part {
  readonly title: string
  readonly observables: readonly ShippedObservable[]
}

/** An event as a document, and its entry in the manifest of a feed. */
export interface MispEvent {
  readonly uuid: string
  readonly event: Json
  readonly manifest: Json
  /** The values of its attributes. */
  readonly values: readonly string[]
}

/** The UUID of the event for an entity. A report keeps its own, so that it survives a round trip. */
export const eventUuidOf = ({ data }: Pick<ShippedEntity, 'data'>): string =>
  (data.type === 'report' ? partsOf(data.id)?.uuid : undefined) ?? uuidOf('misp-event', data.id)

/** Converts an entity with its parts and clusters to an event. */
export async function eventOf(
  entity: ShippedEntity,
  parts: readonly Part[],
  clusters: readonly Cluster[],
  { producer, attacks }: Pick<Shipment, 'producer' | 'attacks'>,
  lose: Lose,
): Promise<MispEvent> {
  const uuid = eventUuidOf(entity)
  const timestamp = secondsOf(entity.last_updated_at)
  const attributes = new Map<unknown, Json>()
  for (const { title, observables } of [{ title: '', observables: entity.observables }, ...parts]) {
    for (const one of observables) {
      const attribute = attributeOf(one, uuid, title, timestamp)
      if (!attributes.has(attribute.uuid)) attributes.set(attribute.uuid, attribute)
    }
  }
  const organisation = organisationOf(entity, producer)
  const head = {
    info: entity.data.title,
    date: dayOf(entity),
    threat_level_id: threatLevelOf([...attributes.values()]),
    analysis: '2',
    timestamp,
  }
  const tags = [...tagsOf(entity), ...clusters.map(({ tag }) => tag)].map((name) => ({ name }))
  sayLosses(entity, inexpressibleAttacks(entity, attacks), lose)
  return {
    uuid,
    manifest: { Orgc: organisation, Tag: tags, ...head },
    values: [...attributes.values()].map(({ value }) => String(value)),
    event: {
      uuid,
      ...head,
      published: true,
      publish_timestamp: timestamp,
      Orgc: organisation,
      Tag: tags,
      Attribute: [...attributes.values(), ...referencesOf(entity, uuid), ...(await filesOf(entity, uuid, lose))],
      Galaxy: galaxiesOf(clusters),
      EventReport: descriptionOf(entity, uuid, timestamp),
    },
  }
}

const secondsOf = (time: string): string => String(Math.floor(Date.parse(time) / 1000))

const dayOf = ({ meta, created_at }: ShippedEntity): string =>
  String(meta.estimated_threat_start_time ?? meta.estimated_observed_time ?? created_at).slice(0, 10)

/** The threat level of an event follows its most malicious attribute. */
function threatLevelOf(attributes: readonly Json[]): string {
  const said = JSON.stringify(attributes.map(({ Tag }) => Tag))
  const at = ['high', 'medium', 'low'].findIndex((level) => said.includes(`maliciousness=\\"${level}\\"`))
  return at < 0 ? '4' : String(at + 1)
}

/** The author of the entity, or the producer of the document. */
function organisationOf({ data }: ShippedEntity, producer: Shipment['producer']): Json {
  const source = isRecord(data.information_source) ? data.information_source : {}
  const name = (isRecord(source.identity) && textOf(source.identity, 'name')) || producer.name
  return { name, uuid: v5(name, v5.URL) }
}

const CONFIDENCE: Readonly<Record<string, string>> = { high: 'high', medium: 'moderate', low: 'low' }

/** The tags of an event: its colour, its own tags, and confidence and reliability in MISP's taxonomies. */
function tagsOf({ data, meta }: ShippedEntity): string[] {
  const colour = meta.tlp_color === 'WHITE' ? 'CLEAR' : meta.tlp_color
  const reliability = typeof meta.source_reliability === 'string' ? meta.source_reliability.toLowerCase() : ''
  const said = isRecord(data.confidence) ? data.confidence.value : data.confidence
  const confidence = CONFIDENCE[String(said).toLowerCase()]
  return [
    ...(colour && colour !== 'NONE' ? [`tlp:${colour.toLowerCase()}`] : []),
    ...(reliability ? [`admiralty-scale:source-reliability="${reliability}"`] : []),
    ...(confidence ? [`estimative-language:confidence-in-analytic-judgment="${confidence}"`] : []),
    ...(meta.tags ?? []),
  ]
}

function referencesOf({ data }: ShippedEntity, event: string): Json[] {
  const references = Array.isArray(data.external_references) ? data.external_references.filter(isRecord) : []
  return references.flatMap((reference) => {
    const url = textOf(reference, 'url')
    if (url === '') return []
    const comment = textOf(reference, 'description') || textOf(reference, 'source_name')
    const uuid = uuidOf('misp-attribute', event, 'link', url)
    return [{ uuid, type: 'link', category: 'External analysis', value: url, to_ids: false, comment }]
  })
}

async function filesOf({ data, attachments }: ShippedEntity, event: string, lose: Lose): Promise<Json[]> {
  const files: Json[] = []
  let left = ATTACHMENTS_LIMIT
  for (const { filename, size, sha256, open } of attachments) {
    if (size > left) {
      lose(data.id, `attachment '${filename}' is too large for a MISP event`)
      continue
    }
    left -= size
    const bytes = Buffer.concat(await Array.fromAsync(open()))
    const uuid = uuidOf('misp-attribute', event, 'attachment', sha256, filename)
    const what = { uuid, type: 'attachment', category: 'External analysis', value: filename, to_ids: false }
    files.push({ ...what, data: bytes.toString('base64') })
  }
  return files
}

/** MISP stores long texts as event reports. */
function descriptionOf({ data }: ShippedEntity, event: string, timestamp: string): Json[] {
  const content = [textOf(data, 'short_description'), textOf(data, 'description')].filter((text) => text !== '')
  if (content.length === 0) return []
  return [{ uuid: descriptionUuid(event), name: 'Description', content: content.join('\n\n'), timestamp }]
}

function sayLosses({ data, taxonomy_paths, kept }: ShippedEntity, attacks: readonly string[], lose: Lose): void {
  if (attacks.length > 0) lose(data.id, `attack nodes that are not known techniques: ${attacks.join(', ')}`)
  if (taxonomy_paths.length > 0) lose(data.id, 'taxonomies: not supported by MISP events')
  if (kept.length > 0) lose(data.id, `${kept.length} STIX objects: not supported by MISP events`)
}
