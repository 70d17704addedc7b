import type { z } from 'zod'
import type { Read } from '../fast/compiled-reader.ts'
import type { Restriction, Storage } from './storage.ts'

/**
 * A secret is never sent: responses have the pass-through token in its place.
 * A hidden field is in no body and no response: only the operations of its resource use it.
 */
export type Access = 'read-write' | 'read-only' | 'write-only' | 'secret' | 'hidden'

/** Stands for a secret in responses. A client that sends it back keeps the secret. */
export const PASS_THROUGH = '<PASS_THROUGH_TOKEN>'

/** The engine sets the time or the caller, when a row is created or at each write. */
export type Stamp = 'created-at' | 'created-by' | 'updated-at' | 'updated-by'

// The engine passes on the object that a resource provides.
// biome-ignore lint/suspicious/noExplicitAny: each resource has its own
type Derive = (owner: any, given: null | undefined) => unknown

/** An error in a value, and its path inside the value. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Checks a value of a new object as it was sent, with the other fields of the object. */
type Check = (value: unknown, item: Readonly<Record<string, unknown>>) => readonly Issue[]

interface FieldProps<I extends z.ZodType, A extends Access, R extends boolean, S extends Storage> {
  readonly input: I
  readonly output: z.ZodType
  readonly storage: S
  readonly access: A
  readonly isRequired: R
  readonly isNullable: boolean
  readonly fallback?: unknown
  readonly stamp?: Stamp
  /** Whether lists send the document as it is stored, without parsing it. */
  readonly isSentAsStored?: boolean
  /** Whether the value is a path of this server, or an object of paths; responses have absolute URLs, which SQL does not know. */
  readonly isPath?: boolean
  /** Whether its links have a path: `/{collection}/{id}/{field}`. */
  readonly isLinkable?: boolean
  /** A permission that setting this field requires in addition to that of the resource. */
  readonly guard?: string
  /** The field with the address that a secret was given for. The secret is not kept if it would be sent to another server. */
  readonly boundTo?: string
  readonly doc?: string
  /** The storage that filters use, if that is not the stored value. */
  readonly filter?: Storage
  /** Computes the value of a new object for which the client sent nothing or null. */
  readonly derive?: Derive
  /** Finds what is wrong with a new object's value in combination with its other fields. */
  readonly check?: Check
  /** Turns the stored value into that of responses. */
  readonly show?: (baseUrl: string, value: unknown) => unknown
  /** A faster reader for values of `input`, which reads the values that the reader declines. */
  readonly read?: Read
}

/**
 * One field of a resource: its value, where it is stored, and who may set it.
 * Immutable; every modifier returns a new field.
 */
export class Field<
  I extends z.ZodType = z.ZodType,
  A extends Access = Access,
  R extends boolean = boolean,
  S extends Storage = Storage,
> {
  readonly props: FieldProps<I, A, R, S>

  constructor(props: FieldProps<I, A, R, S>) {
    this.props = props
  }

  required(): Field<I, A, true, S> {
    // A required field has no default that null could reset it to.
    return new Field({ ...this.props, isRequired: true, fallback: undefined })
  }

  nullable(): Field<z.ZodNullable<I>, A, R, S> {
    const { input, output } = this.props
    const either = input.nullable()
    const shown = output === input ? either : output.nullable()
    return new Field({ ...this.props, input: either, output: shown, isNullable: true })
  }

  /** The value of a new object without this field. Null in a PATCH resets the field to it, unless the field is nullable. */
  default(value: z.input<I>): Field<I, A, R, S> {
    return new Field({ ...this.props, fallback: value })
  }

  /** Computes the value of a new object for which the client sent nothing or null. */
  derived(derive: Derive): Field<I, A, R, S> {
    return new Field({ ...this.props, derive })
  }

  /** Stores a member of a document in a column of the table. */
  inColumn(column: string): Field<I, A, R, S> {
    return new Field({ ...this.props, storage: { ...this.props.storage, column } })
  }

  /** Filters and sorts by another field instead of the stored value. */
  filteredBy({ props: { storage } }: Field): Field<I, A, R, S> {
    return new Field({ ...this.props, filter: storage })
  }

  /** Sends a value computed from the stored one. */
  shownAs(show: (baseUrl: string, value: unknown) => unknown): Field<I, A, R, S> {
    return new Field({ ...this.props, show })
  }

  readOnly(): Field<I, 'read-only', R, S> {
    return new Field({ ...this.props, access: 'read-only' })
  }

  writeOnly(): Field<I, 'write-only', R, S> {
    return new Field({ ...this.props, access: 'write-only' })
  }

  hidden(): Field<I, 'hidden', R, S> {
    return new Field({ ...this.props, access: 'hidden' })
  }

  stamped(stamp: Stamp): Field<I, 'read-only', R, S> {
    return new Field({ ...this.props, access: 'read-only', stamp })
  }

  /** Lists send the document as it is stored: no code of the resource reads it. */
  sentAsStored(): Field<I, A, R, S> {
    return new Field({ ...this.props, isSentAsStored: true })
  }

  /** Sends the path as a URL of this server. */
  path(): Field<I, A, R, S> {
    return new Field({ ...this.props, isPath: true })
  }

  /** Serves the links at `/{collection}/{id}/{field}`, where they can also be changed unless the field is read-only. */
  linkable(): Field<I, A, R, S> {
    return new Field({ ...this.props, isLinkable: true })
  }

  /** Checks a value of a new object together with its other fields, in addition to the schema. */
  checkedBy(check: Check): Field<I, A, R, S> {
    return new Field({ ...this.props, check })
  }

  guardedBy(permission: string): Field<I, A, R, S> {
    return new Field({ ...this.props, guard: permission })
  }

  /** Sends the value, and filters and sorts by it, only if the condition on the row `t` holds; otherwise uses `otherwise`. */
  shownTo(to: Restriction['to'], otherwise: string): Field<I, A, R, S> {
    // Elsewhere, the restriction would have no effect.
    if (this.props.storage.kind !== 'column') throw new TypeError('Only a column can be shown to some callers.')
    return new Field({ ...this.props, storage: { ...this.props.storage, restricted: { to, otherwise } } })
  }

  /** A secret for the server at the address in another field. */
  boundTo(address: string): Field<I, A, R, S> {
    return new Field({ ...this.props, boundTo: address })
  }

  /** Accepts values of another schema; the operations of the resource convert them. */
  accepts<U extends z.ZodType>(input: U): Field<U, A, R, S> {
    const { read: _, ...props } = this.props
    return new Field({ ...props, input })
  }

  /** Reads values with a faster function that returns what the schema returns. */
  readBy(read: Read): Field<I, A, R, S> {
    return new Field({ ...this.props, read })
  }

  describe(doc: string): Field<I, A, R, S> {
    return new Field({ ...this.props, doc })
  }
}
