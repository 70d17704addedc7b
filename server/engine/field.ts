import { z } from 'zod'
import { type Collection, collections } from '../collections.ts'
import { link } from './link.ts'
import { NOT_MINE, type Read } from './quick.ts'
import type { Id } from './reference.ts'
import type { Calculation, Restriction, Searched, Storage } from './storage.ts'
import { parseTimestamp } from './timestamp.ts'

/**
 * A secret is write-only in effect: it is answered as the pass-through token.
 * What is hidden is neither sent nor answered: the resource's own operations read and write it.
 */
export type Access = 'read-write' | 'read-only' | 'write-only' | 'secret' | 'hidden'

/** What answers show in place of a secret; sent back, it leaves the secret as it is. */
export const PASS_THROUGH = '<PASS_THROUGH_TOKEN>'

/** What the engine writes by itself: the time or the caller, when the row is made or whenever it is written. */
export type Stamp = 'created-at' | 'created-by' | 'updated-at' | 'updated-by'

// The engine hands on what a resource says of its new objects.
// biome-ignore lint/suspicious/noExplicitAny: each resource has its own
type Derive = (owner: any, given: null | undefined) => unknown

interface FieldProps<I extends z.ZodType, A extends Access, R extends boolean, S extends Storage> {
  readonly input: I
  readonly output: z.ZodType
  readonly storage: S
  readonly access: A
  readonly isRequired: R
  readonly isNullable: boolean
  readonly fallback?: unknown
  readonly stamp?: Stamp
  /** A document that lists hand on as it is stored. */
  readonly isHandedOn?: boolean
  /** A path of this server, or several by name, that is answered as an address: statements do not know under which one we are known. */
  readonly isPath?: boolean
  /** A permission that setting this field needs beside the resource's own. */
  readonly guard?: string
  /** The field whose address a secret was given for: it is not kept when another server would get it. */
  readonly boundTo?: string
  readonly doc?: string
  /** What filters go by, where that is not the stored value. */
  readonly filter?: Storage
  /** The value of a new object that sent nothing or null, by what else is known of it. */
  readonly derive?: Derive
  /** Turns the stored value into the answered one. */
  readonly show?: (baseUrl: string, value: unknown) => unknown
  /** Reads what `input` takes, faster; what it does not take is left to `input`. */
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
    // What must be given has nothing that null could reset it to.
    return new Field({ ...this.props, isRequired: true, fallback: undefined })
  }

  nullable(): Field<z.ZodNullable<I>, A, R, S> {
    const { input, output } = this.props
    const either = input.nullable()
    const shown = output === input ? either : output.nullable()
    return new Field({ ...this.props, input: either, output: shown, isNullable: true })
  }

  /** The value of a new object that does not say otherwise; also what null resets a field to that cannot be null. */
  default(value: z.input<I>): Field<I, A, R, S> {
    return new Field({ ...this.props, fallback: value })
  }

  /** The value of a new object that sent nothing or null, by what else is known of it. */
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

  /** Answers something made of the stored value. */
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

  /** Lists answer the document as it is stored: nothing of the resource's own looks into it. */
  handedOn(): Field<I, A, R, S> {
    return new Field({ ...this.props, isHandedOn: true })
  }

  /** Answered behind the address of the server. */
  path(): Field<I, A, R, S> {
    return new Field({ ...this.props, isPath: true })
  }

  guardedBy(permission: string): Field<I, A, R, S> {
    return new Field({ ...this.props, guard: permission })
  }

  /** Answers, filters and sorts by the value only where the condition on the row `t` holds, and by `otherwise` elsewhere. */
  shownTo(to: Restriction['to'], otherwise: string): Field<I, A, R, S> {
    return new Field({ ...this.props, storage: { ...this.props.storage, restricted: { to, otherwise } } })
  }

  /** A secret for the server at the address in another field. */
  boundTo(address: string): Field<I, A, R, S> {
    return new Field({ ...this.props, boundTo: address })
  }

  /** Takes values of another shape; the resource's own operations turn them into what is stored. */
  accepts<U extends z.ZodType>(input: U): Field<U, A, R, S> {
    const { read: _, ...props } = this.props
    return new Field({ ...props, input })
  }

  /** Reads values by a function that gives what the schema gives, and is faster. */
  readBy(read: Read): Field<I, A, R, S> {
    return new Field({ ...this.props, read })
  }

  describe(doc: string): Field<I, A, R, S> {
    return new Field({ ...this.props, doc })
  }
}

type Stored<K extends Storage['kind']> = Extract<Storage, { kind: K }>

const make = <I extends z.ZodType, S extends Storage, A extends Access = 'read-write'>(
  storage: S,
  input: I,
  output: z.ZodType = input,
  rest: { access?: A; isNullable?: boolean; fallback?: unknown } = {},
): Field<I, A, false, S> =>
  new Field({ storage, input, output, access: 'read-write' as A, isRequired: false, isNullable: false, ...rest })

const column = <I extends z.ZodType>(type: string, input: I, output?: z.ZodType) =>
  make<I, Stored<'column'>>({ kind: 'column', type }, input, output)

/** PostgreSQL cannot store the NUL character in text. */
const storable = (value: string): boolean => !value.includes('\u0000')

/** The same schema for the same arguments: hundreds of fields are alike, and each schema takes two kilobytes. */
function shared<A extends readonly unknown[], S extends z.ZodType>(make: (...args: A) => S): (...args: A) => S {
  const made = new Map<string, S>()
  return (...args) => {
    const key = args.join()
    const schema = made.get(key) ?? make(...args)
    made.set(key, schema)
    return schema
  }
}

export const string = shared((min: number = 0, max: number = 1_000_000) =>
  z.string().min(min).max(max).refine(storable, 'must not contain the NUL character'),
)

export const text = (min = 0, max?: number) => column('text', string(min, max))
/** A name of an object: what people call it, and often its alternative key. */
export const name = () => column('text', string(1, 500)).required()
const truth = z.boolean()
export const bool = () => column('boolean', truth)
const whole = shared((min: number, max: number) => z.int().min(min).max(max))
export const int = (min = -(2 ** 31), max = 2 ** 31 - 1) => column('integer', whole(min, max))
export const real = () => column('real', z.number())
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) => column('text', z.enum(values))
export const strings = (item: z.ZodType<string> = string()) => column('text[]', z.array(item)).default([])
export const json = <I extends z.ZodType>(schema: I) => column('jsonb', schema)

/** A text that is stored sealed, never returned, and kept when the pass-through token comes back. */
export const secret = () =>
  make({ kind: 'column', type: 'text' } as Stored<'column'>, string().nullable(), z.string().nullable(), {
    access: 'secret' as const,
    isNullable: true,
  })

export const time = z.string().transform((value, check) => {
  const parsed = parseTimestamp(value)
  if (parsed !== undefined) return parsed
  check.addIssue({ code: 'custom', message: `'${value.slice(0, 40)}' is not an ISO 8601 time` })
  return z.NEVER
})

/** Reads what `time` takes. */
export const readTime: Read = (value) => (typeof value === 'string' ? parseTimestamp(value) : undefined) ?? NOT_MINE

const shownTime = z.iso.datetime({ offset: true })

export const timestamp = () => column('timestamptz', time, shownTime)

const url = z.url().meta({ format: 'uri' })
const urls = z.array(url)
const idOnly = shared((to: Collection) => link(to).transform(({ id }): Id => id))
const links = shared((to: Collection) => z.array(link(to)))

/** A foreign key. Accepts an id or a URL, answers a URL. */
export const ref = (to: Collection) =>
  make({ kind: 'ref', type: collections[to].id, to } as Stored<'ref'>, idOnly(to), url)

type RefsOptions = { readonly inverse?: boolean } & Partial<
  Pick<Stored<'refs'>, 'attribute' | 'isSeenWithOwner' | 'shown'>
>

/** Many foreign keys, kept in the link table `through`; `inverse` where the other side is the table's source. */
export const refs = (to: Collection, through: string, { inverse, ...rest }: RefsOptions = {}) => {
  const storage: Stored<'refs'> = { kind: 'refs', to, through, here: inverse ? 'target' : 'source', ...rest }
  const input = rest.attribute ? z.array(link(to, rest.attribute)) : links(to)
  return make(storage, input, urls, { fallback: [] })
}

const calculated = { access: 'read-only' as const, isNullable: true }

/** A read-only SQL expression over the resource's row `t`. */
export const computed = <O extends z.ZodType>(
  type: string,
  output: O,
  expression: string | Calculation,
  read?: (text: string) => string,
) =>
  make<O, Stored<'computed'>, 'read-only'>(
    { kind: 'computed', type, expression, ...(read && { read }) },
    output,
    output,
    calculated,
  )

const never = z.never()

/** A place that is filtered on by a condition of its own. */
export const searched = (
  form: string,
  read: Searched['read'],
  matches: Searched['matches'],
  sorted?: Searched['sorted'],
) =>
  make<z.ZodType, Searched, 'read-only'>(
    { kind: 'searched', form, read, matches, ...(sorted && { sorted }) },
    never,
    never,
    calculated,
  )

/** A read-only reference that an SQL expression over the resource's row `t` finds. */
export const found = (to: Collection, expression: string | Calculation) =>
  make<z.ZodType, Stored<'computed'>, 'read-only'>(
    { kind: 'computed', type: collections[to].id, expression, to },
    url,
    url.nullable(),
    calculated,
  )
