import { stix2Objects } from '../stix2/stix2-objects.ts'
import { stixTimeOf } from '../stix2/times.ts'
import { versionOf } from '../stix2/versions.ts'
import { type Itemiser, itemOf } from './content-item.ts'

/** The objects of a STIX 2.1 bundle. Nothing in them changes by itself. */
export const stixItems: Itemiser = async function* (shipment, lose) {
  for await (const object of stix2Objects(shipment, lose)) {
    const content = JSON.stringify(object)
    const version = stixTimeOf(object.modified) ?? stixTimeOf(object.created) ?? null
    yield itemOf(object.id, content, { content, modified: versionOf(object) ?? null, version })
  }
}
