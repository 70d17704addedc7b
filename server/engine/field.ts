import { z } from 'zod'
import { type Collection, collections } from '../collections.ts'
import { parseTimestamp } from '../domain/timestamp.ts'
import { DECLINED, type Read } from '../fast/compiled-reader.ts'
import { type Access, Field } from './field-class.ts'
import { link } from './link.ts'
import type { Id } from './reference.ts'
import type { Calculation, Searched, Storage } from './storage.ts'

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

/** Shares schemas between equal fields: there are hundreds, and each schema takes two kilobytes. */
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
/** The name of an object, often its alternative key. */
export const name = () => column('text', string(1, 500)).required()
const truth = z.boolean()
export const bool = () => column('boolean', truth)
const whole = shared((min: number, max: number) => z.int().min(min).max(max))
export const int = (min = -(2 ** 31), max = 2 ** 31 - 1) => column('integer', whole(min, max))
export const real = () => column('real', z.number())
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) => column('text', z.enum(values))
export const strings = (item: z.ZodType<string> = string()) => column('text[]', z.array(item)).default([])
export const json = <I extends z.ZodType>(schema: I) => column('jsonb', schema)

/** A text that is stored encrypted, never returned, and kept if the client sends the pass-through token. */
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

/** A faster reader for `time`. */
export const readTime: Read = (value) => (typeof value === 'string' ? parseTimestamp(value) : undefined) ?? DECLINED

const shownTime = z.iso.datetime({ offset: true })

export const timestamp = () => column('timestamptz', time, shownTime)

const url = z.url().meta({ format: 'uri' })
const urls = z.array(url)
const idOnly = shared((to: Collection) => link(to).transform(({ id }): Id => id))
const links = shared((to: Collection) => z.array(link(to)))

/** A foreign key. Accepts an id or a URL and is sent as a URL. */
export const ref = (to: Collection) =>
  make({ kind: 'ref', type: collections[to].id, to } as Stored<'ref'>, idOnly(to), url)

type RefsOptions = { readonly inverse?: boolean } & Partial<
  Pick<Stored<'refs'>, 'attribute' | 'isSeenWithOwner' | 'shown'>
>

/** Foreign keys in the link table `through`; `inverse` if the other side is the source of the table. */
export const refs = (to: Collection, through: string, { inverse, ...rest }: RefsOptions = {}) => {
  const storage: Stored<'refs'> = { kind: 'refs', to, through, here: inverse ? 'target' : 'source', ...rest }
  const input = rest.attribute ? z.array(link(to, rest.attribute)) : links(to)
  return make(storage, input, urls, { fallback: [] })
}

const calculated = { access: 'read-only' as const, isNullable: true }

/** A read-only SQL expression over the row `t`. */
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

/** A name that can only be filtered by, with its own condition. */
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

/** A name that can only be filtered by and takes only these values; the filter of a field takes any value, and others match nothing. */
export const among = (values: readonly string[], matches: Searched['matches']) =>
  make<z.ZodType, Searched, 'read-only'>(
    {
      kind: 'searched',
      form: `one of ${values.join(', ')}`,
      read: (value) => (values.includes(value) ? value : undefined),
      matches,
      values,
    },
    never,
    never,
    calculated,
  )

/** A read-only reference, found by an SQL expression over the row `t`. */
export const found = (to: Collection, expression: string | Calculation) =>
  make<z.ZodType, Stored<'computed'>, 'read-only'>(
    { kind: 'computed', type: collections[to].id, expression, to },
    url,
    url.nullable(),
    calculated,
  )
