import { after } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import type { Context } from '../../server/engine/context.ts'
import { createDatabase } from '../database.ts'
import { type Graph, insertGraphs } from '../graph.ts'
import { makeCounter } from './counting.ts'

/** The database of the importing test file. */
export const database = await createDatabase()
after(() => database.drop())

const counter = makeCounter()
const dialect = new PostgresDialect({ pool: database.pool })

/** The same database, with statements counted. */
export const db: Context['db'] = new Kysely({ dialect, log: counter.count })
export const { statementsOf } = counter

export const storeGraphs = (graphs: readonly Graph[]): Promise<void> => insertGraphs(database.db, graphs)
