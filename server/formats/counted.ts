import type { Shipment, ShippedEntity, ShippedRelationship } from './shipment.ts'

/** A shipment that knows how much of it has gone out. */
export interface Counted extends Shipment {
  /** How many there were, whenever they were read to the end, however often that was. */
  counts(): { readonly entities: number; readonly relationships: number; readonly observables: number }
}

/** Counts what is read, and calls `tell` after each entity with the number so far; a second reading counts from zero and calls it as well. */
export function counted(shipment: Shipment, tell: (entities: number) => void = () => {}): Counted {
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
      tell(counts.entities)
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
