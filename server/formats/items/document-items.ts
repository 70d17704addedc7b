import { VERSION_2, VERSION_3, type Version } from '../platform-json/write-platform-json.ts'
import type { ShippedEntity, ShippedRelationship } from '../shipment.ts'
import { type Itemiser, itemOf, lasting } from './content-item.ts'

/** Entities and relationships as platform JSON contains them. */
export const platformItems: Itemiser = itemsOfVersion(VERSION_3)

/** Entities and relationships as the older version of platform JSON contains them. */
export const platform2Items: Itemiser = itemsOfVersion(VERSION_2)

function itemsOfVersion({ entity, relationship }: Version): Itemiser {
  return documentItems((each) => [entity(each), filesOf(each)], relationship)
}

/** Entities and relationships in STIX 1.2, where a relationship is part of its source component. */
export const componentItems: Itemiser = documentItems(
  ({ id, data, meta, observables }) => ({
    id,
    data,
    colour: meta.tlp_color,
    observables: observables.map(observableContent),
  }),
  ({ id, data, target_type }) => ({ id, data, target_type }),
  ({ data }) => data.source,
)

/** Entities by their attachments, which are the only contents of the archive. */
export const attachmentItems: Itemiser = documentItems((entity) => {
  const { id, type, title } = entity.data
  return entity.attachments.length === 0 ? undefined : { id, type, title, files: filesOf(entity) }
})

/**
 * Yields the entities and relationships of a document. An item that is part of an entity's component uses the STIX id of the entity as its
 * content, so that both change together.
 */
function documentItems(
  entityContent: (entity: ShippedEntity) => unknown,
  relationshipContent?: (relationship: ShippedRelationship) => unknown,
  ownerOf?: (relationship: ShippedRelationship) => string,
): Itemiser {
  return async function* (shipment) {
    for await (const entity of shipment.entities()) {
      const said = entityContent(lasting(entity))
      const content = ownerOf ? entity.data.id : null
      if (said !== undefined) yield itemOf(`${ENTITY}${entity.id}`, JSON.stringify(said), { content })
    }
    if (!relationshipContent) return
    for await (const relationship of shipment.relationships()) {
      const content = ownerOf?.(relationship) ?? null
      yield itemOf(`${RELATIONSHIP}${relationship.id}`, JSON.stringify(relationshipContent(relationship)), { content })
    }
  }
}

/** Prefixes of item keys. */
export const ENTITY = 'entity '
export const RELATIONSHIP = 'relationship '

const filesOf = ({ attachments }: ShippedEntity): unknown =>
  attachments.map(({ id, filename, content_type, sha256, meta }) => ({ id, filename, content_type, sha256, meta }))

const observableContent = ({ type, value, meta, link_type }: ShippedEntity['observables'][number]): unknown => ({
  type,
  value,
  meta,
  link_type,
})
