import type { Document } from './document.ts'

/** An observable that a document names. */
export interface FoundObservable {
  readonly type: string
  readonly value: string
  readonly maliciousness?: 'unknown' | 'safe' | 'low' | 'medium' | 'high' | undefined
  readonly link_type?: string | undefined
}

/** A file that comes inside a document. */
export interface FoundAttachment {
  /** A UUID, where the document has one. */
  readonly id?: string | undefined
  readonly filename: string
  readonly bytes: Buffer
}

/**
 * An object of a document that the platform has no place of its own for, kept as it came with the entity that it belongs to, so
 * that an export in the same format gives it back: cyber observables with all their properties, markings, translations.
 */
export interface KeptObject {
  readonly id: string
  readonly object: Readonly<Record<string, unknown>>
}

/** When something was created and its version made where it comes from, if its data does not say so. */
export interface Origin {
  readonly created?: string | undefined
  readonly modified?: string | undefined
}

/** An entity as requests send it; whatever it refers to, it names by STIX id. */
export interface FoundEntity {
  readonly data: Readonly<Record<string, unknown>> & {
    readonly type: string
    readonly title: string
    readonly id?: string
  }
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly observables?: readonly FoundObservable[] | undefined
  readonly attachments?: readonly FoundAttachment[] | undefined
  readonly kept?: readonly KeptObject[] | undefined
  readonly origin?: Origin | undefined
  /** What its data refers to and the document does not have, where the reader knows; else all of it may be missing. */
  readonly missing?: readonly string[] | undefined
  /** Whether its publisher has withdrawn it. */
  readonly isWithdrawn?: boolean | undefined
  /** Whether it only has what is to be added to what it said before. */
  readonly isAddition?: boolean | undefined
  /** Those of its observables that only a relationship of their own joins to it: that it does not come again tells nothing. */
  readonly joined?: readonly FoundObservable[] | undefined
}

/** A relationship as requests send it; its ends are STIX ids. */
export interface FoundRelationship {
  /** A UUID, where the document has one. */
  readonly id?: string | undefined
  readonly data: Readonly<Record<string, unknown>> & {
    readonly source: string
    readonly target: string
    readonly key?: string
  }
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly origin?: Origin | undefined
  /** Whether its publisher has withdrawn it. */
  readonly isWithdrawn?: boolean | undefined
  /** Whether it is a part of what the entity at its source says, and goes with that. */
  readonly isPart?: boolean | undefined
}

/** How many observables a list excluded, and the first of them. */
export interface Excluded {
  readonly list: string
  readonly count: number
  readonly observables: readonly { readonly type: string; readonly value: string }[]
}

/** One thing in a document; `at` says where it stands, for people: `objects[12]`, `line 7`, `Indicators/Indicator[3]`. */
export type Finding =
  | {
      readonly kind: 'entity'
      readonly at: string
      readonly entity: FoundEntity
      readonly losses?: readonly string[]
      /** What people may want to know, and is no loss. */
      readonly notes?: readonly string[]
      /** Observables that were left out, by the lists that exclude them. */
      readonly excluded?: readonly Excluded[]
    }
  | {
      readonly kind: 'relationship'
      readonly at: string
      readonly relationship: FoundRelationship
      readonly losses?: readonly string[]
    }
  | {
      readonly kind: 'observable'
      readonly at: string
      readonly observable: FoundObservable
      readonly losses?: readonly string[]
    }
  /** Something that the sender takes back: an entity by its STIX id, or an observable of a list, which is an entity too. */
  | {
      readonly kind: 'withdrawn'
      readonly at: string
      readonly id: string
      readonly observable?: FoundObservable
      readonly losses?: readonly string[]
    }
  /** Something that could not be understood at all. */
  | {
      readonly kind: 'lost'
      readonly at: string
      readonly id?: string | undefined
      readonly losses: readonly string[]
      /** It is an older version of something else in the document, so nothing is lost by passing over it. */
      readonly isOutdated?: boolean
    }

/**
 * Reads a document of one format. Entities come before the relationships between them. The same document gives the same findings
 * in the same order, however often it is read; what makes no sense as a whole is a DocumentError, what makes no sense in part is
 * a finding that is lost.
 */
export type Reader = (document: Document) => AsyncIterable<Finding>
