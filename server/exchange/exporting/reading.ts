import type { Context } from '../../engine/resource.ts'
import type { Configuration } from './configuration.ts'

/** How the pieces of a shipment are read: by whom, as of which moment, and what of it. */
export interface Reading {
  readonly configuration: Configuration
  /** Runs statements that belong together, and sees one state of the database in all of them. */
  read<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  /** The properties of entities' data that are wanted, where not all of them are; nothing is then kept with entities either. */
  readonly only?: readonly string[] | undefined
  /** Whether the next portion is read while one is written: for those who read as one user, in one transaction. */
  readonly isAhead?: boolean | undefined
  /** Where the content of an attachment is read: it never changes. */
  readonly db: Context['db']
}
