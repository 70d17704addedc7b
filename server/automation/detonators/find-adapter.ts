import { type RawBuilder, sql } from 'kysely'
import type { Server } from '../../server.ts'
import type { Adapter } from './adapter.ts'
import { adapters } from './adapters/adapters.ts'

/** The adapters of this installation. */
export const adaptersOf = ({ sandboxes }: Pick<Server, 'sandboxes'>): readonly Adapter[] => sandboxes ?? adapters

/** The adapter with a name, if this installation has it. */
export const adapterNamed = (server: Pick<Server, 'sandboxes'>, name: string): Adapter | undefined =>
  adaptersOf(server).find((adapter) => adapter.name === name)

/** A constant of the adapter of the detonator `t`, as SQL; null if it is not installed. */
export const ofAdapter = (
  server: Pick<Server, 'sandboxes'>,
  read: (adapter: Adapter) => unknown,
): RawBuilder<unknown> =>
  sql`(${JSON.stringify(Object.fromEntries(adaptersOf(server).map((each) => [each.name, read(each)])))}::jsonb -> t.adapter)`

/** Whether the adapter of the detonator `alias` is installed. */
export const isInstalled = (server: Pick<Server, 'sandboxes'>, alias = 't'): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.adapter`)} = any(${adaptersOf(server).map(({ name }) => name)}::text[]))`
