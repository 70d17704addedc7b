import type { Shipment } from './shipment.ts'

/** A shipment that knows how much of it has gone out. */
export interface Counted extends Shipment {
  /** How many there were, whenever they were read to the end, however often that was. */
  counts(): { readonly entities: number; readonly relationships: number }
}

/** Tells after each entity how many there have been; a second reading begins anew and is told of as well. */
export function counted(shipment: Shipment, tell: (entities: number) => void = () => {}): Counted {
  const counts = { entities: 0, relationships: 0 }
  async function* counting<T>(name: keyof typeof counts, items: AsyncIterable<T>): AsyncGenerator<T> {
    let count = 0
    for await (const item of items) {
      count++
      counts[name] = Math.max(counts[name], count)
      if (name === 'entities') tell(counts.entities)
      yield item
    }
  }
  return {
    ...shipment,
    entities: (types) => (types ? shipment.entities(types) : counting('entities', shipment.entities())),
    relationships: () => counting('relationships', shipment.relationships()),
    counts: () => ({ ...counts }),
  }
}
