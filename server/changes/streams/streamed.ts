import type { Collection } from '../../collections.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'

/** The collections in streams and webhooks: those that analysts work with, not those for administration. */
export const STREAMED = [
  'entities',
  'attachments',
  'observables',
  'relationships',
  'taxonomies',
  'datasets',
  'tickets',
  'workspaces',
] as const satisfies readonly Collection[]

export type Streamed = (typeof STREAMED)[number]

/** The streamed collections that can be searched by a query. */
export const SEARCHED: readonly string[] = ['entities', 'observables', 'relationships'] satisfies Streamed[]

/** The permissions needed to receive changes of these collections. */
export const permissionsFor = (ctx: Pick<Context, 'resources'>, collections: readonly Collection[]): string[] =>
  collections.map((collection) => `read ${resourceOf(ctx, collection).permission}`)
