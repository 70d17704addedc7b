import type { RawBuilder, SqlBool } from 'kysely'
import type { Collection } from '../collections.ts'
import type { Members } from './document.ts'
import type { Context } from './resource.ts'

/** An attribute that lives on the link between two objects, such as a member's role. */
export interface LinkAttribute {
  readonly name: string
  readonly values: readonly [string, ...string[]]
  readonly default: string
}

/** Where a field's value lives in PostgreSQL. */
export type Storage =
  | {
      readonly kind: 'column'
      readonly type: string
      /** The name of the column, where it is not that of the field; of a member of a document that has a column of its own. */
      readonly column?: string
      readonly restricted?: Restriction
      /** Its values from the least to the greatest, where that is not the order of the alphabet. */
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
      /** Visible to everyone who sees the owner: nothing needs to be checked. */
      readonly isSeenWithOwner?: boolean
      /** Where more is shown than the links themselves: a JSON list of ids, for the row `t`. */
      readonly shown?: Calculation
    }
  | {
      readonly kind: 'computed'
      readonly type: string
      readonly order?: readonly string[]
      readonly expression: string | Calculation
      /** The collection whose id the expression gives, where it is a reference. */
      readonly to?: Collection
      /** The stored form of a value that is filtered by. */
      readonly read?: (text: string) => string
      readonly along?: Along
    }
  | Searched

type Computed = Extract<Storage, { kind: 'computed' }>

/**
 * Where the values of a computed field come from, as rows of `id` and `value`: the value of an object is the least or the
 * greatest of its own there. With it a list in the order of the value need not compute it for every object.
 */
export interface Along {
  /** The rows of all objects, visible or not, where indexes return them in order: read from tables alone, without joins. */
  readonly all?: RawBuilder<unknown>
  /** The rows that count for the caller: those of all objects that they may see, and of no others. */
  readonly seen: Calculation
  readonly takes: 'min' | 'max'
}

/** SQL over the row `t` that depends on who asks, or when. */
export type Calculation = (ctx: Context) => RawBuilder<unknown>

/** Who gets to see the value of a column, as a condition on the row `t`, and what others see in its place. */
export interface Restriction {
  readonly to: (ctx: Context) => RawBuilder<SqlBool>
  /** SQL. */
  readonly otherwise: string
}

/** A place that is only filtered on, by a condition of its own over the row `t`. */
export interface Searched {
  readonly kind: 'searched'
  /** The value as the condition wants it; undefined when it is not `form`. */
  read(text: string): string | undefined
  readonly form: string
  matches(ctx: Context, values: readonly string[]): RawBuilder<SqlBool> | Promise<RawBuilder<SqlBool>>
  /** What rows are sorted by, where the place has an order of its own. */
  readonly sorted?: Computed
}
