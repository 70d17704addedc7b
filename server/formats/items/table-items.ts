import { entityLine, RELATIONSHIP_LOSS, reportLosses } from '../csv/write-entities-csv.ts'
import { isListed, observableLines } from '../csv/write-observables-csv.ts'
import { digest, type Itemiser, itemOf, lasting } from './content-item.ts'

/** The rows of a table of observables. */
export const observableItems: Itemiser = async function* (shipment) {
  for await (const entity of shipment.entities()) {
    if (!isListed(entity)) continue
    const line = observableLines(entity, shipment)
    const lastingLine = observableLines(lasting(entity), shipment)
    for (const observable of entity.observables) {
      const { id, type, value } = observable
      yield itemOf(`${entity.id} ${id}`, lastingLine(observable), {
        content: line(observable),
        subject: digest(`${type} ${value}`),
      })
    }
  }
}

/** The rows of a table of entities. */
export const entityRowItems: Itemiser = async function* (shipment, lose) {
  for await (const entity of shipment.entities()) {
    reportLosses(entity, lose)
    yield itemOf(entity.id, entityLine(lasting(entity), shipment), { content: entityLine(entity, shipment) })
  }
  for await (const { id } of shipment.relationships()) lose(id, RELATIONSHIP_LOSS)
}
