import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Configuration } from './configuration.ts'

/** How the portions of a shipment are read. */
export interface Reading {
  readonly configuration: Configuration
  /** Whether the content of the entity `t` may leave, if that depends on more than the configuration. */
  mayLeave?(ctx: Context): RawBuilder<SqlBool>
  /** Whether entities name the unified entity that they contribute to although it is not exported. */
  readonly hasMemberships?: boolean | undefined
  /** Runs statements that must see the same state of the database. */
  read<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  /** The only properties of data to read; without it, all properties and the kept objects are read. */
  readonly only?: readonly string[] | undefined
  /** Whether the next portion is read while one is written; only for reads as one user in one transaction. */
  readonly isAhead?: boolean | undefined
  /** Reads the content of attachments, which never changes. */
  readonly db: Context['db']
}
