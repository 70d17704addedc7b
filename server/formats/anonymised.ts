import type { Shipment, ShippedEntity, ShippedRelationship, ShippedSource } from './shipment.ts'
import { partsOf } from './stix2/ids.ts'

/** A literal replacement. */
export interface Replacement {
  readonly find: string
  readonly replace: string
}

/** Why a text cannot be exported. The message is for the person who configured the replacements. */
export class AnonymisationError extends Error {
  override name = 'AnonymisationError'
}

/**
 * Maximum length of a text after replacement. Each replacement works on the result of the previous one, so texts could grow without bound.
 */
const TEXT_LIMIT = 4_000_000

/** Fields with ids, types, times and references instead of texts. Documents would break without them. */
const NON_TEXT_FIELDS = new Set(
  `attacks color content_type created id key lang maliciousness modified sha256 source_reliability spec_version stix_property subtype
  timestamp tlp_color type`.split(/\s+/),
)
const NO_TEXT_ENDINGS = ['_type', '_types', '_ref', '_refs', '_time']
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/**
 * Applies replacements, in order, to all texts of a shipment: titles, descriptions and all other texts in documents, tags, names of
 * taxonomies, sources and files, and values of observables. Ids, types, keys, times and the contents of files are unchanged.
 */
export function anonymised(shipment: Shipment, replacements: readonly Replacement[]): Shipment {
  const given = replacements.filter(({ find }) => find !== '')
  if (given.length === 0) return shipment
  const text = (original: string): string => given.reduce(replaced, original)
  return {
    ...shipment,
    producer: { ...shipment.producer, name: text(shipment.producer.name) },
    async *entities(types) {
      for await (const entity of shipment.entities(types)) yield anonymousEntity(entity, text)
    },
    async *relationships() {
      for await (const relationship of shipment.relationships()) yield anonymousRelationship(relationship, text)
    },
  }
}

type Text = (original: string) => string

function replaced(text: string, { find, replace }: Replacement): string {
  if (!text.includes(find)) return text
  const made = text.replaceAll(find, () => replace)
  if (made.length > Math.max(TEXT_LIMIT, text.length))
    throw new AnonymisationError(
      `The replacements produce a text of ${made.length} characters; the maximum is ${TEXT_LIMIT}.`,
    )
  return made
}

function anonymousEntity(entity: ShippedEntity, text: Text): ShippedEntity {
  return {
    ...entity,
    data: visit('', entity.data, text),
    meta: visit('', entity.meta, text),
    taxonomy_paths: entity.taxonomy_paths.map((path) => path.map(text)),
    sources: entity.sources.map((source) => anonymousSource(source, text)),
    observables: entity.observables.flatMap((observable) => {
      const value = text(observable.value)
      const sources = observable.sources.map((source) => anonymousSource(source, text))
      // An observable with an empty value is dropped.
      return value === '' ? [] : [{ ...observable, value, sources, meta: visit('', observable.meta, text) }]
    }),
    attachments: entity.attachments.map((attachment) => ({
      ...attachment,
      filename: text(attachment.filename),
      meta: visit('', attachment.meta, text),
    })),
    kept: entity.kept.map(({ id, object }) => ({ id, object: visit('', object, text) })),
  }
}

const anonymousRelationship = (relationship: ShippedRelationship, text: Text): ShippedRelationship => {
  const { source, target } = relationship.data
  return {
    ...relationship,
    data: { ...visit('', relationship.data, text), source, target },
    meta: visit('', relationship.meta, text),
    sources: relationship.sources.map((each) => anonymousSource(each, text)),
  }
}

const anonymousSource = (source: ShippedSource, text: Text): ShippedSource => ({ ...source, name: text(source.name) })

/** Replaces the texts in a value. `name` is its field; the items of a list have the name of the list. */
function visit<T>(name: string, value: T, text: Text): T
function visit(name: string, value: unknown, text: Text): unknown {
  if (typeof value === 'string') return isText(name, value) ? text(value) : value
  if (Array.isArray(value)) return value.map((item) => visit(name, item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    // These hold the original value of a property, so they are treated like the property itself.
    Object.entries(value).map(([inner, member]) => [
      inner,
      visit(inner === 'said' || inner === 'made' ? name : inner, member, text),
    ]),
  )
}

const isText = (name: string, value: string): boolean =>
  !(
    NON_TEXT_FIELDS.has(name) ||
    NO_TEXT_ENDINGS.some((ending) => name.endsWith(ending)) ||
    TIME.test(value) ||
    partsOf(value) !== undefined
  )
