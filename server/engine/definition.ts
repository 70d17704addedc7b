import type { RawBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Collection } from '../collections.ts'
import type { AnyRow, Context, Item } from './context.ts'
import type { ExposedReduction } from './exposed-resource.ts'
import type { Field } from './field-class.ts'
import type { ListPlan } from './list-plan.ts'
import type { Id } from './reference.ts'
import type { Route } from './route.ts'

export type Fields = Record<string, Field>

type Sent<F extends Fields> = {
  [K in keyof F as F[K]['props']['access'] extends 'read-only' | 'hidden' ? never : K]: F[K]
}
type Parsed<T extends Field> = z.output<T['props']['input']>

/** A new object with these fields as operations receive it: parsed, with references as ids. */
export type Input<F extends Fields, S extends Fields = Sent<F>> = {
  [K in keyof S as S[K]['props']['isRequired'] extends true ? K : never]: Parsed<S[K]>
} & { [K in keyof S as S[K]['props']['isRequired'] extends true ? never : K]?: Parsed<S[K]> | undefined }

export interface Page {
  readonly rows: AnyRow[]
  readonly cursor: string | null
  readonly total: number
}

/** The operations of a resource. A custom operation usually calls the one of `standard`. */
// biome-ignore lint/suspicious/noExplicitAny: the operations of all resources are in one registry
export interface Operations<F extends Fields = any, P = any> {
  list?(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page>
  get?(ctx: Context, resource: Resource, id: Id): Promise<AnyRow>
  /** Prepares a write before its transaction begins, and returns what the operation receives as `prepared`. Its effects stay if the write fails. */
  prepare?(ctx: Context, items: readonly Item[]): Promise<P>
  create?(ctx: Context, resource: Resource, item: Input<F>, prepared?: P): Promise<AnyRow | AnyRow[]>
  upsert?(
    ctx: Context,
    resource: Resource,
    items: Input<F>[],
    prepared?: P,
  ): Promise<{ rows: AnyRow[]; created: number }>
  update?(ctx: Context, resource: Resource, id: Id, patch: Partial<Input<F>>, prepared?: P): Promise<AnyRow>
  remove?(ctx: Context, resource: Resource, ids: Id[]): Promise<void>
  link?(ctx: Context, resource: Resource, id: Id, field: string, links: readonly { id: Id }[]): Promise<void>
  unlink?(ctx: Context, resource: Resource, id: Id, field: string, target: Id): Promise<void>
}

/** A condition on the row with the given SQL alias. */
export type Condition = (ctx: Context, alias: string) => RawBuilder<SqlBool>

/** Which rows a caller may see, where it takes more than one condition to say it. */
export interface Visibility {
  readonly condition: Condition
  /** The same condition, written to be evaluated row by row: faster where few rows are read. */
  readonly rowCondition?: Condition
  /**
   * The keys that let a caller see the row of an alias, as a JSON list of lists: a caller needs one key of each. They are logged
   * when the row is deleted, to tell later who may know about it. Without keys, the users who see the row are logged.
   */
  readonly keys?: (alias: string) => RawBuilder<unknown>
}

/** A view in place of a table: its rows are computed when they are read, so that picking their ids first would compute them twice. */
export interface View {
  readonly view: string
}

/** What the `query` of a list matches, and how well a row fits. */
export interface Match {
  readonly matches: RawBuilder<SqlBool>
  /** A weaker condition that an index answers without reading the row; all rows that match fulfil it. */
  readonly likely?: RawBuilder<SqlBool>
  readonly score: RawBuilder<unknown>
}

/** How a query parameter leaves out some of the matches of a list. */
export interface Reduction extends ExposedReduction {
  /** Whether the row `t` remains, given the condition that all matches fulfil. */
  condition(ctx: Context, value: string, matches: RawBuilder<SqlBool>): RawBuilder<SqlBool>
  /** The same, written to be evaluated row by row: faster unless all matches are read. */
  rowCondition(ctx: Context, value: string, matches: RawBuilder<SqlBool>): RawBuilder<SqlBool>
}

/** How a list is searched, beyond filters and sorts by its fields. */
export interface Search {
  /** More names that can be filtered and sorted by: other names of fields, and paths inside documents. */
  readonly filters?: Fields
  /** Translates the `query` of a list into conditions on the row `t`. */
  readonly query?: (ctx: Context, query: string) => Promise<Match>
  readonly reduction?: Reduction
}

/** What the author of a resource writes. */
export interface Definition<F extends Fields, P = unknown> {
  readonly collection: Collection
  /** The name of one object; also names the schema in the OpenAPI document. */
  readonly title: string
  readonly doc: string
  /** The table or view of its rows. Default: the name of the collection. */
  readonly table?: string | View
  /** The object in `read <object>` and `modify <object>`. Default: the name of the collection. */
  readonly permission?: string
  /** Fields that identify a row in a bulk upsert; paths inside fields, if its own operations read them. */
  readonly key: readonly string[]
  readonly fields: F
  /** Which rows a caller may see. Default: all. */
  readonly visible?: Condition | Visibility
  readonly search?: Search
  /** Default: the standard operations. */
  readonly operations?: Operations<F, P>
  /** Its endpoints, given those of its operations and links. Default: these. */
  readonly routes?: (standard: readonly Route[]) => readonly Route[]
  /** A body that creates an object: for the documentation and the contract tests. */
  readonly example?: Readonly<Record<string, unknown>>
}

/** What the engine reads: a definition with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: the definitions of all resources are in one registry
export interface Resource<F extends Fields = Fields> extends Omit<Definition<any>, 'fields' | 'table' | 'visible'> {
  readonly fields: F
  readonly table: string
  readonly isView: boolean
  readonly permission: string
  readonly visibility: Visibility | undefined
  readonly operations: Operations
}
