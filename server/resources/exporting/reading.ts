import type { Context } from '../../engine/resource.ts'
import type { Configuration } from './configuration.ts'

/** How the pieces of a shipment are read: by whom, as of which moment, and what of it. */
export interface Reading {
  readonly configuration: Configuration
  /** Runs statements that belong together, and sees one state of the database in all of them. */
  read<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  /** Where the content of an attachment is read: it never changes. */
  readonly db: Context['db']
}
