import { sentMeta } from '../sent-meta.ts'
import type { ShippedAttachment, ShippedEntity, ShippedRelationship, Writer } from '../shipment.ts'
import { base64Of } from './base64.ts'
import { platformJson } from './format.ts'
import { entityInVersion2, relationInVersion2 } from './version-2.ts'

type Lose = Parameters<Writer>[1]

/** How one version of the document is written. */
export interface Version {
  readonly head: (shipment: Parameters<Writer>[0]) => object
  readonly relationships: 'relationships' | 'relations'
  readonly entity: (entity: ShippedEntity) => object
  readonly relationship: (relationship: ShippedRelationship) => object
}

/** Maximum bytes of attachments per entity, because readers process one entity at a time and limit its size. */
const ATTACHMENTS_LIMIT = 16 * 1024 * 1024

const [{ urn: urn3 }, { urn: urn2 }] = platformJson.contentTypes

/** The complete version. */
export const VERSION_3: Version = {
  head: ({ at, producer }) => ({ content_type: urn3, created_at: at, producer }),
  relationships: 'relationships',
  entity: entityInVersion3,
  relationship: ({ source_type: _source, target_type: _target, ...relationship }) => relationship,
}

/** The older version, for feed clients. */
export const VERSION_2: Version = {
  head: ({ at }) => ({ type: 'linked-entities', 'content-type': urn2, created_at: at }),
  relationships: 'relations',
  entity: entityInVersion2,
  relationship: relationInVersion2,
}

/** Writes the complete version, which is read back as the same entities. */
export const writePlatformJson: Writer = writer(VERSION_3)

/** Writes the older version. */
export const writePlatformJson2: Writer = writer(VERSION_2)

function writer(version: Version): Writer {
  return async function* (shipment, lose) {
    yield `${JSON.stringify(version.head(shipment)).slice(0, -1)},"entities":[`
    let between = '\n'
    for await (const entity of shipment.entities()) {
      yield between
      yield* entityPieces(entity, version.entity(entity), lose)
      between = ',\n'
    }
    yield `],"${version.relationships}":[`
    between = '\n'
    for await (const relationship of shipment.relationships()) {
      yield `${between}${JSON.stringify(version.relationship(relationship))}`
      between = ',\n'
    }
    yield ']}\n'
  }
}

function entityInVersion3(entity: ShippedEntity): object {
  const { id, data, relevancy, sources, created_at, last_updated_at, created, modified, kept } = entity
  return {
    id,
    data,
    meta: sentMeta(entity),
    observables: entity.observables.map(({ type, value, meta, link_type }) => ({
      type,
      value,
      maliciousness: meta.maliciousness,
      ...(link_type === null ? {} : { link_type }),
    })),
    relevancy,
    sources,
    created_at,
    last_updated_at,
    created,
    modified,
    ...(kept.length > 0 ? { kept } : {}),
  }
}

/** Writes an entity with its attachments at the end, in chunks. */
async function* entityPieces({ data, attachments }: ShippedEntity, item: object, lose: Lose): AsyncGenerator<string> {
  const text = JSON.stringify(item)
  if (attachments.length === 0) {
    yield text
    return
  }
  yield `${text.slice(0, -1)},"attachments":[`
  let left = ATTACHMENTS_LIMIT
  let between = ''
  for (const attachment of attachments) {
    if (attachment.size > left) {
      lose(
        data.id,
        `attachment '${attachment.filename}' is too large for JSON; export it as a zip archive of attachments`,
      )
      continue
    }
    left -= attachment.size
    yield between
    yield* attachmentPieces(attachment)
    between = ','
  }
  yield ']}'
}

async function* attachmentPieces(attachment: ShippedAttachment): AsyncGenerator<string> {
  const { id, filename, content_type, sha256, meta } = attachment
  yield `${JSON.stringify({ id, filename, content_type, sha256, meta }).slice(0, -1)},"data":"`
  yield* base64Of(attachment.open())
  yield '"}'
}
