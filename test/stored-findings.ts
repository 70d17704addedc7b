import { observableOf } from '../server/domain/observables/read.ts'
import { typeOfStixId } from '../server/domain/stix-ids.ts'
import { parseTimestamp } from '../server/domain/timestamp.ts'
import { tlpOf } from '../server/domain/tlp.ts'
import type { Finding, FoundEntity } from '../server/formats/finding.ts'
import type { Shipment, ShippedEntity, ShippedRelationship } from '../server/formats/shipment.ts'
import { entityData } from '../server/intelligence/entities/entity-data.ts'
import { attackVocabulary } from './attack-nodes.ts'

type Fields = Record<string, unknown>

const NOW = '2026-01-02T03:04:05.678901+00:00'

/** Findings as they are exported after they were stored: with the changes made by the database and by validation. */
export function storedFindings(findings: readonly Finding[]): Shipment {
  const entities = new Map(findings.flatMap((finding) => (finding.kind === 'entity' ? [stored(finding.entity)] : [])))
  const relationships = findings.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship] : []))
  for (const { data } of relationships)
    for (const id of [data.source, data.target]) if (!entities.has(id)) entities.set(...placeholder(id))
  const shipped = relationships.map(
    ({ id = '', data, meta = {}, origin }): ShippedRelationship => ({
      id,
      data: asStored({ key: '', ...data }),
      meta: storedMeta(meta),
      source_type: entities.get(data.source)?.data.type ?? '',
      target_type: entities.get(data.target)?.data.type ?? '',
      sources: [],
      created_at: NOW,
      last_updated_at: NOW,
      created: origin?.created ?? NOW,
      modified: origin?.modified ?? NOW,
    }),
  )
  return {
    at: NOW,
    baseUrl: 'https://corvus.example',
    producer: { namespace: 'https://corvus.example', alias: 'corvus', name: 'Corvus' },
    attacks: attackVocabulary,
    async *entities() {
      yield* entities.values()
    },
    async *relationships() {
      yield* shipped
    },
  }
}

function stored(entity: FoundEntity): [string, ShippedEntity] {
  const { data, observables = [], kept = [], origin } = entity
  const id = data.id ?? ''
  return [
    id,
    {
      id,
      data: checked({ ...asStored(data), id }),
      meta: { ...entityMeta(entity), half_life: 30 },
      taxonomy_paths: [],
      relevancy: 1,
      sources: [],
      created_at: NOW,
      last_updated_at: NOW,
      created: origin?.created ?? NOW,
      modified: origin?.modified ?? NOW,
      observables: observables.map(({ type, value, maliciousness = 'unknown', link_type = null }, i) => {
        const read = observableOf(type, value)
        if ('fault' in read) throw new Error(`${type} ${value}: ${read.fault}`)
        return {
          id: i,
          ...read,
          meta: { maliciousness },
          created_at: NOW,
          last_updated_at: NOW,
          sources: [],
          link_type,
        }
      }),
      attachments: [],
      kept: kept.map((each) => asStored(each)),
    },
  ]
}

const placeholder = (id: string): [string, ShippedEntity] => {
  const [, entity] = stored({
    data: { id, type: typeOfStixId(id) ?? '', title: id, ...(id.startsWith('x-') && { custom_entity_type: 'x' }) },
  })
  return [id, { ...entity, meta: { ...entity.meta, is_unresolved_idref: true } }]
}

/** Data that does not fit the definition of the type is set aside, as in an import. */
function checked<T extends Fields>(data: T): T {
  const copy = structuredClone(data) as Fields
  const result = entityData.safeParse(copy)
  if (result.success) return result.data as unknown as T
  const names = new Set(result.error.issues.map(({ path }) => String(path[0])))
  const parts = Object.entries(data)
  return {
    ...Object.fromEntries(parts.filter(([name]) => !names.has(name))),
    as_sent: Object.fromEntries(parts.filter(([name]) => names.has(name))),
  } as unknown as T
}

/** The meta of an entity as it is stored: with the times that were not sent, and the attack nodes that its words mean. */
export function entityMeta({
  meta = {},
  attacks = [],
}: Pick<FoundEntity, 'meta' | 'attacks'>): ReturnType<typeof storedMeta> {
  const said = [...(Array.isArray(meta.attacks) ? meta.attacks.map((id) => ({ id: String(id) })) : []), ...attacks]
  return {
    estimated_threat_start_time: NOW,
    estimated_observed_time: NOW,
    ...storedMeta(meta),
    ...(said.length > 0 && { attacks: attackVocabulary.idsOf(said) }),
  }
}

function storedMeta(meta: Readonly<Fields>): Fields & { tags: string[]; tlp_color: string | null } {
  const times = Object.entries(meta).map(([name, value]) => {
    if (!name.endsWith('_time') || value === null) return [name, value]
    const time = parseTimestamp(String(value))
    if (!time) throw new Error(`${name}: ${String(value)} is no time`)
    return [name, time]
  })
  const tags = Array.isArray(meta.tags) ? meta.tags.map(String) : []
  return {
    ...Object.fromEntries(times),
    tags: [...new Set(tags.map((tag) => tag.trim()))],
    tlp_color: meta.tlp_color === undefined ? null : tlpOf(String(meta.tlp_color), 'RED'),
  }
}

/** jsonb orders members by length, then by bytes. */
function asStored<T>(value: T): T {
  const order = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(order)
    if (typeof node !== 'object' || node === null) return node
    const members = Object.entries(node).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    return Object.fromEntries(members.map(([name, member]) => [name, order(member)]))
  }
  return order(JSON.parse(JSON.stringify(value))) as T
}
