import type { Shipment, ShippedEntity, ShippedRelationship } from './shipment.ts'

/** A shipment that counts what has been read. */
export interface Counted extends Shipment {
  /** The counts of the longest reading so far. */
  counts(): { readonly entities: number; readonly relationships: number; readonly observables: number }
}

/**
 * Counts what is read, and calls `onEntity` with the number of entities so far after each one. A second reading starts from zero and calls it
 * as well.
 */
export function counted(shipment: Shipment, onEntity: (entities: number) => void = () => {}): Counted {
  const counts = { entities: 0, relationships: 0, observables: 0 }
  const raise = (name: keyof typeof counts, count: number): void => {
    counts[name] = Math.max(counts[name], count)
  }
  async function* entities(): AsyncGenerator<ShippedEntity> {
    let [count, observables] = [0, 0]
    for await (const entity of shipment.entities()) {
      count++
      observables += entity.observables.length
      raise('entities', count)
      raise('observables', observables)
      onEntity(counts.entities)
      yield entity
    }
  }
  async function* relationships(): AsyncGenerator<ShippedRelationship> {
    let count = 0
    for await (const relationship of shipment.relationships()) {
      raise('relationships', ++count)
      yield relationship
    }
  }
  return {
    ...shipment,
    entities: (types) => (types ? shipment.entities(types) : entities()),
    relationships,
    counts: () => ({ ...counts }),
  }
}
