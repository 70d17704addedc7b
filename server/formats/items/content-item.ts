import { hash } from 'node:crypto'
import type { Shipment, ShippedEntity, Writer } from '../shipment.ts'

/** A part of a document that is added, changed and removed as a whole: a row, an object, an entity or a relationship. */
export interface ContentItem {
  /** Identifies the item regardless of its contents. */
  readonly key: string
  /** A hash of the contents, without values that change over time by themselves. */
  readonly hash: Buffer
  /** The serialised item; null if documents are not assembled from items. */
  readonly content: string | null
  /** What a row is about, for consumers that use nothing else: for observables, a hash of type and value. */
  readonly subject: Buffer | null
  /** The version timestamp of an object; null for objects without versions, which cannot be revoked. */
  readonly modified: string | null
  /** The TAXII version: the same timestamp, or the creation time of the object; null if it has neither. */
  readonly version: string | null
}

/** Yields the items of a document in document order. */
export type Itemiser = (shipment: Shipment, lose: Parameters<Writer>[1]) => AsyncIterable<ContentItem>

/** Creates an item. Omitted properties do not apply. */
export const itemOf = (
  key: string,
  said: string,
  more: Partial<Pick<ContentItem, 'content' | 'subject' | 'modified' | 'version'>> = {},
): ContentItem => ({ key, hash: digest(said), content: null, subject: null, modified: null, version: null, ...more })

/** The hash of a text. */
export const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Removes values that change over time by themselves. Entities that differ only in these need not be sent again. */
export const lasting = (entity: ShippedEntity): ShippedEntity => ({ ...entity, relevancy: 0 })
