import type { RawBuilder, SqlBool } from 'kysely'
import type { Collection } from '../collections.ts'
import type { Context } from './context.ts'

/** An attribute of the link between two objects, such as the role of a member. */
export interface LinkAttribute {
  readonly name: string
  readonly values: readonly [string, ...string[]]
  readonly default: string
}

/** Where the value of a field is stored in PostgreSQL. */
export type Storage =
  | {
      readonly kind: 'column'
      readonly type: string
      /** The name of the column, if it is not that of the field; for members of documents. */
      readonly column?: string
      readonly restricted?: Restriction
      /** Its values from the least to the greatest, if they are not in alphabetical order. */
      readonly order?: readonly string[]
    }
  | { readonly kind: 'document'; readonly type: 'jsonb'; readonly members: Members }
  | { readonly kind: 'ref'; readonly type: string; readonly to: Collection }
  | {
      readonly kind: 'refs'
      readonly to: Collection
      readonly through: string
      /** The column of the link table that holds this resource's id. */
      readonly here: 'source' | 'target'
      readonly attribute?: LinkAttribute
      /** Whether everyone who sees the owner sees the links, so that they are not checked. */
      readonly isSeenWithOwner?: boolean
      /** A JSON list of ids for the row `t`, sent in place of the links. */
      readonly shown?: Calculation
    }
  | {
      readonly kind: 'computed'
      readonly type: string
      readonly order?: readonly string[]
      readonly expression: string | Calculation
      /** The collection that the expression refers to, if it is a reference. */
      readonly to?: Collection
      /** Converts the value of a filter into the stored form. */
      readonly read?: (text: string) => string
      readonly along?: Along
    }
  | Searched

/** The members of a document, by their names in it. */
export type Members = Readonly<Record<string, Member>>

/** What the engine reads of the field of a member. */
export interface Member {
  readonly props: {
    readonly storage: Storage
    readonly access: string
    readonly isNullable: boolean
    readonly filter?: Storage
    readonly fallback?: unknown
    // biome-ignore lint/suspicious/noExplicitAny: each resource passes its own object
    readonly derive?: (owner: any, given: null | undefined) => unknown
    readonly doc?: string
    readonly show?: (baseUrl: string, value: unknown) => unknown
  }
}

type Computed = Extract<Storage, { kind: 'computed' }>

/**
 * The source of the values of a computed field, as rows of `id` and `value`: the value of an object is its smallest or
 * greatest one. It saves lists that are sorted by the value from computing it for every object.
 */
export interface Along {
  /** The rows of all objects, visible or not, if indexes return them in order: from single tables, without joins. */
  readonly all?: RawBuilder<unknown>
  /** The rows of exactly those objects that the caller may see. */
  readonly seen: Calculation
  readonly takes: 'min' | 'max'
}

/** SQL over the row `t` that depends on the caller or the time. */
export type Calculation = (ctx: Context) => RawBuilder<unknown>

/** The condition on the row `t` under which callers see the value of a column, and the value that others see. */
export interface Restriction {
  readonly to: (ctx: Context) => RawBuilder<SqlBool>
  /** SQL. */
  readonly otherwise: string
}

/** A name that can only be filtered by, with its own condition on the row `t`. */
export interface Searched {
  readonly kind: 'searched'
  /** Converts a value for the condition; undefined if it is not `form`. */
  read(text: string): string | undefined
  readonly form: string
  /** All values that it takes, if they are few. */
  readonly values?: readonly string[]
  matches(ctx: Context, values: readonly string[]): RawBuilder<SqlBool> | Promise<RawBuilder<SqlBool>>
  /** The sort key, if rows can be sorted by it. */
  readonly sorted?: Computed
}
