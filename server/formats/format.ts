import type { CsvMapping } from './csv/mapping.ts'
import type { Document } from './document.ts'
import type { Reader } from './finding.ts'
import type { Itemiser } from './items/content-item.ts'
import type { Kind } from './recognise.ts'
import type { ScratchFile } from './scratch.ts'
import type { Shipment, Writer } from './shipment.ts'

/** Everything that is specific to one format. Readers and writers are loaded with the first document that needs them. */
export interface Format {
  /** What `recognise` calls documents of the format; a format without a kind is only written. */
  readonly kind?: Kind
  readonly read?: (document: Document, reading: Reading) => Promise<Way>
  /** Kinds that a document may be recognised as although its sender says that it is of this format. */
  readonly mistakenFor?: readonly Kind[]
  /** Content types that are read and no longer written. */
  readonly olderUrns?: readonly string[]
  /** The documents that are written in the format. */
  readonly contentTypes: readonly ContentType[]
}

/** How a document is read. */
export interface Way {
  readonly read: Reader
  /** The property of an entity's data that tells the older of two versions; without one, the later in the document wins. */
  readonly versionedBy?: 'modified' | 'timestamp'
  /**
   * Whether the document is read whole before the first finding: one with a fault gives none, so that it can be stored while it is read.
   * Such a reader calls `onProgress`.
   */
  readonly isWholeFirst?: boolean
  /** Whether observables were extracted from text, so that exclusion lists apply to them. */
  readonly isText?: boolean
}

/** What a reader may need in addition to the document. */
export interface Reading {
  readonly csvMapping?: CsvMapping | undefined
  /** Opens a temporary file for findings that have to wait; without it, they wait in memory. */
  readonly openScratch?: (() => ScratchFile) | undefined
  /** Called with the share that is done, from 0 to 1, by readers that know it. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** One kind of document that entities are exported as. */
export interface ContentType {
  readonly urn: string
  /** The name on the command line. */
  readonly name: string
  readonly doc: string
  readonly mediaType: string
  readonly extension: string
  /** Whether documents contain observables, which need a permission of their own. */
  readonly hasObservables: boolean
  /** Whether documents of the type cannot be read back. */
  readonly isWrittenOnly?: true
  /** Whether the caller chooses the fields: such a type cannot be asked for by its name alone. */
  readonly needsFields?: true
  readonly write: (fields: readonly string[]) => Promise<Writer>
  /** How outgoing feeds publish the type; without it, feeds cannot have the type. */
  readonly feed?: FeedContent
}

/** How an outgoing feed publishes documents of one type. */
export interface FeedContent {
  readonly strategies: readonly UpdateStrategy[]
  /** Splits a document into items, so that two documents can be compared. */
  readonly items: () => Promise<Itemiser>
  /** The number of items in a document, from what its writer read and wrote. */
  readonly countItems: (counts: DocumentCounts) => number
  /** Joins the contents of items to a document; without it, a writer writes the changed entities and relationships. */
  readonly assemble?: () => Promise<Assembler>
  /** Whether consumers keep items by version and can be told that one is revoked, as collections of TAXII require. */
  readonly hasVersions?: true
  /** Whether a relationship is written inside of the entity at its source. */
  readonly hasNestedRelationships?: true
  /** Whether attachments are included even where the feed does not ask for them. */
  readonly hasAttachments?: true
  /** The members of an entity's data that a document contains; without it, all of them. */
  readonly dataMembers?: readonly string[]
}

/** `REPLACE` publishes everything each time, `APPEND` what is new or changed, `DIFF` the rows added and removed. */
export type UpdateStrategy = 'REPLACE' | 'APPEND' | 'DIFF'

/** How much a writer read, and in how many pieces it wrote. */
export interface DocumentCounts {
  readonly entities: number
  readonly relationships: number
  readonly observables: number
  readonly pieces: number
}

/** Makes a document of the contents of items. */
export interface Assembler {
  readonly join: (shipment: Shipment, contents: AsyncIterable<string>) => AsyncIterable<string>
  /** The first line, where the document is a table. */
  readonly tableHead?: string
}

/** The number of items in documents whose items are entities and relationships. */
export const countEntitiesAndRelationships = ({ entities, relationships }: DocumentCounts): number =>
  entities + relationships
