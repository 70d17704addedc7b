import { type RawBuilder, sql } from 'kysely'
import { isDue, isFree, isHeld } from './claims.ts'

/** One queue of a lane, in all processes together. */
export interface LaneStatus {
  /** The name of the object whose work it is. */
  readonly name: string
  /** The state of that object, which may keep due work waiting. */
  readonly state: string
  /** Work that no process holds: what is due, and what waits for a time or an answer. */
  readonly waiting: number
  readonly due: number
  /** Work that a process holds. */
  readonly running: number
  /** The age of the oldest work; 0 if there is none. */
  readonly oldest_seconds: number
  /** How long the oldest due work has been due; 0 if none is. */
  readonly oldest_due_seconds: number
}

const secondsSince = (time: RawBuilder<unknown>) => sql`coalesce(extract(epoch from now() - ${time}), 0)::float8`

/** The measures of a queue, from its rows in a left join. `requestedAt` is the column with the time at which work was requested. */
export function measuresOf(row: string, requestedAt: string): RawBuilder<unknown> {
  const dueAt = sql.ref(`${row}.due_at`)
  return sql`
    count(${dueAt}) filter (where ${isFree(row)})::integer as waiting,
    count(${dueAt}) filter (where ${isDue(row)})::integer as due,
    count(${dueAt}) filter (where ${isHeld(row)})::integer as running,
    ${secondsSince(sql`min(${sql.ref(`${row}.${requestedAt}`)})`)} as oldest_seconds,
    ${secondsSince(sql`min(${dueAt}) filter (where ${isDue(row)})`)} as oldest_due_seconds`
}
