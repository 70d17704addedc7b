import type { Document } from './document.ts'

/** An observable in a document. */
export interface FoundObservable {
  readonly type: string
  readonly value: string
  readonly maliciousness?: 'unknown' | 'safe' | 'low' | 'medium' | 'high' | undefined
  readonly link_type?: string | undefined
}

/** A file inside a document. */
export interface FoundAttachment {
  /** A UUID, if the document has one. */
  readonly id?: string | undefined
  readonly filename: string
  readonly bytes: Buffer
}

/**
 * An object that has no equivalent in the platform. It is kept unchanged with its entity, so that an export in the same format restores it:
 * cyber observables with all their properties, markings, translations.
 */
export interface KeptObject {
  readonly id: string
  readonly object: Readonly<Record<string, unknown>>
}

/** The creation and modification times at the origin, if the data does not contain them. */
export interface Origin {
  readonly created?: string | undefined
  readonly modified?: string | undefined
}

/** A tactic as documents name it. */
export interface FoundTactic {
  /** Its id, or its short name such as `initial-access`. */
  readonly name: string
  /** The kill chain, if the document says it: the same short name is in several matrices. */
  readonly chain?: string | undefined
}

/** A technique or a tactic of an attack framework, in the words of a document. Only the import knows the nodes that it means. */
export interface FoundAttack {
  /** For example `T1566.001`, `TA0001`, `TA0001:T1566.001` or a STIX id; without it, the tactics themselves are meant. */
  readonly id?: string | undefined
  /** Where a technique belongs; without them, everywhere in its matrix. */
  readonly tactics?: readonly FoundTactic[] | undefined
}

/** An entity in the form of requests. References are STIX ids. */
export interface FoundEntity {
  readonly data: Readonly<Record<string, unknown>> & {
    readonly type: string
    readonly title: string
    readonly id?: string
  }
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** What it is classified with, in addition to the ids in `meta.attacks`. */
  readonly attacks?: readonly FoundAttack[] | undefined
  readonly observables?: readonly FoundObservable[] | undefined
  readonly attachments?: readonly FoundAttachment[] | undefined
  readonly kept?: readonly KeptObject[] | undefined
  readonly origin?: Origin | undefined
  /** References in its data that are not in the document, if the reader knows them; otherwise any of them may be missing. */
  readonly missing?: readonly string[] | undefined
  /** Whether its publisher has withdrawn it. */
  readonly isWithdrawn?: boolean | undefined
  /** Whether it contains only additions to the existing entity. */
  readonly isAddition?: boolean | undefined
  /** Observables that are linked only by relationships of their own. If they are absent in a later version, nothing follows from that. */
  readonly joined?: readonly FoundObservable[] | undefined
  /** Ids of attack frameworks in the part of its text that its description leaves out. */
  readonly attackIds?: readonly string[] | undefined
}

/** A relationship in the form of requests. Its ends are STIX ids. */
export interface FoundRelationship {
  /** A UUID, if the document has one. */
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
  /** Whether it is part of its source entity, and is removed with it. */
  readonly isPart?: boolean | undefined
}

/** The number of observables excluded by a list, and the first of them. */
export interface Excluded {
  readonly list: string
  readonly count: number
  readonly observables: readonly { readonly type: string; readonly value: string }[]
}

/** A finding in a document. `at` is its location for users: `objects[12]`, `line 7`, `Indicators/Indicator[3]`. */
export type Finding =
  | {
      readonly kind: 'entity'
      readonly at: string
      readonly entity: FoundEntity
      readonly losses?: readonly string[]
      /** Remarks for users that are not losses. */
      readonly notes?: readonly string[]
      /** Observables that were left out, by exclusion list. */
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
  /** A withdrawal by the sender: an entity by its STIX id, or an observable of a list, which is an entity too. */
  | {
      readonly kind: 'withdrawn'
      readonly at: string
      readonly id: string
      readonly observable?: FoundObservable
      readonly losses?: readonly string[]
    }
  /** An item that could not be read at all. */
  | {
      readonly kind: 'lost'
      readonly at: string
      readonly id?: string | undefined
      readonly losses: readonly string[]
      /** Whether it is an older version of another item in the document, so that nothing is lost by skipping it. */
      readonly isOutdated?: boolean
    }

/**
 * Reads a document of one format. Entities come before the relationships between them. The same document always gives the same findings in
 * the same order. A document that is invalid as a whole throws a DocumentError, and an invalid part gives a finding of kind `lost`.
 */
export type Reader = (document: Document) => AsyncIterable<Finding>
