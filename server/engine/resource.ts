import type { RawBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Collection } from '../collections.ts'
import type { Server } from '../server.ts'
import type { Cause } from './cause.ts'
import type { Field } from './field.ts'
import type { ListPlan } from './query.ts'
import type { Id } from './reference.ts'
import type { Route } from './route.ts'
import { standard } from './standard.ts'

export type Fields = Record<string, Field>

type Sent<F extends Fields> = {
  [K in keyof F as F[K]['props']['access'] extends 'read-only' | 'hidden' ? never : K]: F[K]
}
type Parsed<T extends Field> = z.output<T['props']['input']>

/** What an operation gets to create a resource with these fields: parsed, references read. */
export type Input<F extends Fields, S extends Fields = Sent<F>> = {
  [K in keyof S as S[K]['props']['isRequired'] extends true ? K : never]: Parsed<S[K]>
} & { [K in keyof S as S[K]['props']['isRequired'] extends true ? never : K]?: Parsed<S[K]> | undefined }

/** An object on its way through the engine, whatever its resource. */
export type Item = Record<string, unknown>
export type AnyRow = Item & { id: Id }

/** Who is calling, and what they may do. */
export interface Caller {
  readonly id: number
  readonly permissions: ReadonlySet<string>
}

/** Keeps secrets unreadable in the database. */
export interface Vault {
  seal(text: string): string
  open(sealed: string): string
}

/** Runs a look-up by key past the pool; undefined where the pool has to serve. */
export type Lookup = (text: string, values: readonly unknown[]) => Promise<{ rows: AnyRow[] }> | undefined

/** What an operation may reach: in a write, `db` is the request's one transaction. */
export interface Context extends Server {
  readonly caller: Caller
  readonly baseUrl: string
  /** Why this is written, where automation does it: every change that is logged carries it. */
  readonly cause?: Cause | undefined
  /** Who the caller is by now, for answers that take long; a 401 once they are signed out. Absent in background work. */
  readonly renew?: () => Promise<Caller>
  /** The moment that values which change by themselves are taken at; all pages of a list share it. Else now. */
  readonly at?: string
}

export interface Page {
  readonly rows: AnyRow[]
  readonly cursor: string | null
  readonly total: number
}

/** The operations a resource answers; what `before` of its definition returned comes as `prepared`. */
// biome-ignore lint/suspicious/noExplicitAny: the operations of all resources stand in one registry
export interface Operations<F extends Fields = any, P = any> {
  list?(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page>
  get?(ctx: Context, resource: Resource, id: Id): Promise<AnyRow>
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

/** A condition on the row that goes by the given SQL alias. */
export type Condition = (ctx: Context, alias: string) => RawBuilder<SqlBool>

/** What a query finds, and how well a row fits. */
export interface Sought {
  readonly matches: RawBuilder<SqlBool>
  /** What an index knows of it, where that is less: all that matches fulfils it, and no row has to be looked into. */
  readonly likely?: RawBuilder<SqlBool>
  readonly score: RawBuilder<unknown>
}

/** What the author of a resource writes. */
export interface Definition<F extends Fields, P = unknown> {
  readonly collection: Collection
  /** One of them, as people would say it: names the schema in the OpenAPI document. */
  readonly title: string
  readonly doc: string
  readonly fields: F
  /** Fields that identify a row for bulk upsert, or places inside them where the resource's own operations read those. */
  readonly key: readonly string[]
  /** A body that creates one; shown in the documentation, and what the contract tests start from. */
  readonly example?: Readonly<Record<string, unknown>>
  /** An example for the documentation, where none can be created as it stands because it refers to others. */
  readonly sample?: Item
  readonly table?: string
  /** The object in `read <object>` and `modify <object>`. */
  readonly permission?: string
  readonly operations?: Operations<F, P>
  /** Fields whose links have paths of their own: `/{collection}/{id}/{field}`. */
  readonly relations?: readonly (keyof F & string)[]
  /** What is wrong with a new object beyond its single fields, as it was sent. */
  readonly faultsIn?: (sent: Item) => readonly { readonly field: string; readonly fault: string }[]
  /** Rows this caller may see. */
  readonly visible?: Condition
  /** The same, written so that the database asks it for one row after the other: sooner where few rows are looked at. */
  readonly visibleOne?: Condition
  /**
   * The keys that let a caller see the row of an alias, as JSON: lists, of each of which one must be held. They are noted when
   * the row is deleted, because nothing else tells then who may hear of it. Without keys, the users who see it are noted.
   */
  readonly keys?: (alias: string) => RawBuilder<unknown>
  /** Whether its rows are made when they are read: they cannot be picked first, and fetched by their ids then. */
  readonly isView?: boolean
  /** What can be filtered on and sorted by beside the fields: other names, and places inside documents. */
  readonly places?: Fields
  /** What the `query` of a list asks for, over the row `t`. */
  readonly search?: (ctx: Context, query: string) => Promise<Sought>
  /** What a write does before its transaction begins; its effects stay when the write fails. The operation receives the result. */
  readonly before?: (ctx: Context, items: readonly Item[]) => Promise<P>
  /** Whether its objects decide who callers are, or what they may do: its writes have this property as routes. */
  readonly changesCallers?: boolean
  /** Whether POST makes more than it was asked for, and answers a list. */
  readonly makesMany?: boolean
  /** Schemas inside the fields that the OpenAPI document calls by a name. */
  readonly parts?: Readonly<Record<string, z.ZodType>>
  /** Endpoints beyond the standard ones. */
  readonly routes?: readonly Route[]
  /** What becomes of a standard endpoint that does more here than elsewhere. */
  readonly adapted?: (route: Route) => Route
}

/** What the engine reads: a definition with its defaults filled in. */
// biome-ignore lint/suspicious/noExplicitAny: the definitions of all resources stand in one registry
export interface Resource<F extends Fields = Fields> extends Omit<Definition<any>, 'fields'> {
  readonly fields: F
  readonly table: string
  readonly permission: string
  readonly operations: Operations
  readonly relations: readonly string[]
}

/** Fills in the defaults, and refuses a field that would leave a new row without a value. */
export function defineResource<F extends Fields, P = unknown>(definition: Definition<F, P>): Resource<F> {
  for (const [name, { props }] of Object.entries(definition.fields)) {
    const isFilled = props.isRequired || props.isNullable || props.fallback !== undefined || props.stamp !== undefined
    if (!isFilled && props.access !== 'read-only' && props.access !== 'hidden') {
      throw new TypeError(`${definition.collection}.${name} must be required, nullable or have a default.`)
    }
  }
  return {
    table: definition.collection,
    permission: definition.collection.replaceAll('_', '-'),
    operations: standard,
    relations: [],
    ...definition,
  }
}
