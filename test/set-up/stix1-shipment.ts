import type { Finding } from '../../server/formats/finding.ts'
import type { Shipment, ShippedEntity, ShippedRelationship } from '../../server/formats/shipment.ts'
import { attackVocabulary } from '../attack-nodes.ts'

const AT = '2026-01-02T03:04:05.000000+00:00'

/** Findings as they would be exported after they were stored, without references to missing objects. */
export function shipmentOf(findings: readonly Finding[]): Shipment {
  const entities = new Map<string, ShippedEntity>()
  const relationships: ShippedRelationship[] = []
  for (const finding of findings) {
    if (finding.kind !== 'entity') continue
    const { data, meta = {}, observables = [] } = finding.entity
    const id = data.id ?? ''
    entities.set(id, {
      id,
      data: { ...data, id },
      meta,
      taxonomy_paths: [],
      relevancy: 1,
      sources: [],
      created_at: AT,
      last_updated_at: AT,
      created: AT,
      modified: AT,
      observables: observables.map(({ type, value, maliciousness, link_type }, index) => ({
        id: index,
        type,
        value,
        meta: maliciousness === undefined ? {} : { maliciousness },
        created_at: AT,
        last_updated_at: AT,
        sources: [],
        link_type: link_type ?? null,
      })),
      attachments: [],
      kept: [],
    })
  }
  for (const finding of findings) {
    if (finding.kind !== 'relationship') continue
    const { id = '', data } = finding.relationship
    const [source, target] = [entities.get(data.source), entities.get(data.target)]
    if (!source || !target) continue
    const ends = { source_type: source.data.type, target_type: target.data.type }
    relationships.push({
      id,
      data: { ...data, key: data.key ?? '' },
      ...ends,
      meta: {},
      sources: [],
      created_at: AT,
      last_updated_at: AT,
      created: AT,
      modified: AT,
    })
  }
  return {
    at: AT,
    baseUrl: 'https://corvus.example',
    producer: { namespace: 'https://corvus.example/', alias: 'corvus', name: 'Corvus' },
    attacks: attackVocabulary,
    async *entities() {
      yield* entities.values()
    },
    async *relationships() {
      yield* relationships
    },
  }
}
