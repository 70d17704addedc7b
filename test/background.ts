import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { startRuns, stopRuns } from '../server/background/runs.ts'
import type { Task, TaskTypes } from '../server/background/task.ts'
import { startBackground } from '../server/background.ts'
import { connect, type Database } from '../server/database/database.ts'
import type { Item } from '../server/engine/context.ts'
import type { Server } from '../server/server.ts'
import { taskTypes as productTypes } from '../server/tasks.ts'
import { createDatabase } from './database.ts'
import { taskTypes } from './task-types.ts'
import { growingPause } from './until.ts'

export interface Run {
  readonly id: string
  readonly state: string
  readonly attempt: number
  readonly progress: number
  readonly result: unknown
  readonly error_detail: string | null
  readonly log: string[]
  readonly started_at: string | null
  readonly ended_at: string | null
}

/** A server for handlers that need only the database. */
export const bareServer = ({ db }: Pick<Database, 'db'>): Server => ({
  db,
  vault: { seal: (text) => text, open: (text) => text },
  resources: new Map(),
  taskTypes: productTypes,
})

/** A database with a task of every test type, and functions to start, stop and watch runs. */
export async function openTasks(types: TaskTypes = taskTypes) {
  const database = await createDatabase()
  const { url } = database
  const db: Kysely<unknown> = database.db
  const { rows } = await sql<{ id: number; type: string }>`
    insert into tasks (name, type) select name, name from unnest(${[...types.keys()]}::text[]) as i(name)
    returning id, type`.execute(db)
  const taskIds = new Map(rows.map(({ id, type }) => [type, id]))
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

  const request = (type: Task, parameters: Item) => ({
    id: uuid(),
    task: taskIds.get(type.type) ?? 0,
    type,
    parameters,
  })

  return {
    ...database,
    types,
    log,
    /** The log of all workers. */
    warnings,
    taskIds,
    /** A worker with its own connections, as in another process; `database` replaces their address if given. */
    startWorker: async ({ way = url, ...pace }: { way?: string; concurrency?: number; pollMs?: number } = {}) => {
      const own = connect({ connectionString: way }, { poolSize: 5, statementTimeoutMs: 30_000 })
      const worker = await startBackground({
        server: bareServer(own),
        connection: { connectionString: way },
        log,
        types,
        followers: [],
        ...pace,
      })
      const stop = async () => {
        await worker.stop()
        await own.close()
      }
      return { stop, [Symbol.asyncDispose]: stop }
    },
    start: async (type: Task, parameters: Item = {}) => {
      const run = request(type, parameters)
      const busy = await db.transaction().execute((trx) => startRuns(trx, null, [run]))
      return { id: run.id, busy: busy.get(run.task) }
    },
    startMany: async (type: Task, count: number) => {
      const runs = Array.from({ length: count }, () => request(type, {}))
      await db.transaction().execute((trx) => startRuns(trx, null, runs))
    },
    stop: (id: string) => db.transaction().execute((trx) => stopRuns(trx, null, [id])),
    read,
    /** Waits until the run is in one of these states, and returns it. */
    until: async (id: string, ...states: string[]): Promise<Run> => {
      const deadline = Date.now() + 60_000
      for (const pause = growingPause(); ; await pause()) {
        const run = await read(id)
        if (states.includes(run.state)) return run
        if (Date.now() > deadline) throw new Error(`The run is ${run.state}, not ${states.join(' or ')}.`)
      }
    },
  }

  async function read(id: string): Promise<Run> {
    const { rows } = await sql<Run>`select * from task_runs where id = ${id}`.execute(db)
    if (!rows[0]) throw new Error(`There is no run ${id}.`)
    return rows[0]
  }
}
