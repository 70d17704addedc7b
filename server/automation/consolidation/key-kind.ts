import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { KeyKind } from './matching/keys.ts'

/**
 * Whether the key in a column is of a kind. Not as a prefix: the planner would look through all keys of the kind instead of those of an
 * entity.
 */
export const isOfKind = (key: RawBuilder<unknown>, kind: KeyKind): RawBuilder<SqlBool> =>
  sql`split_part(${key}, ':', 1) = ${sql.lit(kind)}`
