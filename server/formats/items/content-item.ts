import { hash } from 'node:crypto'
import type { Shipment, ShippedEntity, Writer } from '../shipment.ts'

/** A piece of a document that comes, changes and goes as a whole: a row, an object, an entity or a relationship. */
export interface ContentItem {
  /** By which it is known, whatever it says. */
  readonly key: string
  /** Of all that it says, but for what changes by itself as time goes by. */
  readonly hash: Buffer
  /** What it is written as; null where documents are not put together from pieces. */
  readonly content: string | null
  /** What a row is about, for who goes by that alone: of observables, a hash of type and value. */
  readonly subject: Buffer | null
  /** When the version of an object was made; null for what gets no others, and cannot be taken back. */
  readonly modified: string | null
  /** By which TAXII knows the version: the same, or when the object was created; null where it says neither. */
  readonly version: string | null
}

/** The pieces of a document, in the order in which it has them. */
export type Itemiser = (shipment: Shipment, lose: Parameters<Writer>[1]) => AsyncIterable<ContentItem>

/** A piece; what is not said of it does not apply. */
export const itemOf = (
  key: string,
  said: string,
  more: Partial<Pick<ContentItem, 'content' | 'subject' | 'modified' | 'version'>> = {},
): ContentItem => ({ key, hash: digest(said), content: null, subject: null, modified: null, version: null, ...more })

/** A hash of a text. */
export const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** An entity without what changes by itself: of two that differ in nothing else, one need not be sent again. */
export const lasting = (entity: ShippedEntity): ShippedEntity => ({ ...entity, relevancy: 0 })
