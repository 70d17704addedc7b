import { type RawBuilder, type SqlBool, sql } from 'kysely'

const column = (row: string, name: string) => sql.ref(`${row}.${name}`)

/** Whether a process holds the row of a queue: its claim has not expired. */
export const isHeld = (row: string): RawBuilder<SqlBool> =>
  sql`(${column(row, 'claim')} is not null and ${column(row, 'claimed_until')} >= now())`

/** Whether no process holds the row of a queue. */
export const isFree = (row: string): RawBuilder<SqlBool> =>
  sql`(${column(row, 'claim')} is null or ${column(row, 'claimed_until')} < now())`

/** Whether the row of a queue may be claimed, as far as its own time is concerned. */
export const isDue = (row: string): RawBuilder<SqlBool> => sql`(${column(row, 'due_at')} <= now() and ${isFree(row)})`
