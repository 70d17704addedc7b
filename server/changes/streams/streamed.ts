import type { Collection } from '../../collections.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'

/** The collections whose changes are told: what people work with, not what they administer. */
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

/** Those that can be searched by a query. */
export const SEARCHED: readonly string[] = ['entities', 'observables', 'relationships'] satisfies Streamed[]

/** The permissions that somebody needs to hear of changes in these collections. */
export const permissionsFor = (ctx: Pick<Context, 'resources'>, collections: readonly Collection[]): string[] =>
  collections.map((collection) => `read ${resourceOf(ctx, collection).permission}`)
