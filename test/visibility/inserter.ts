import { type Kysely, sql } from 'kysely'
import type { Instance } from './instance.ts'
import { rows } from './people.ts'

type Row = Record<string, unknown>
type Listed = (instance: Instance) => readonly Row[]
/** Inserts rows of all instances into a table, given its columns with their types. */
export type Insert = (table: string, columns: string, list: Listed) => Promise<void>

/** Inserts rows of all instances in one statement. */
export function inserter(db: Kysely<unknown>, instances: readonly Instance[]): Insert {
  return async (table, columns, list) => {
    const names = columns.split(', ').map((column) => (column.split(' ')[0] ?? '').replaceAll('"', ''))
    const refs = sql.join(names.map((name) => sql.ref(name)))
    const all = instances.flatMap(list)
    await sql`insert into ${sql.table(table)} (${refs}) select ${refs} from ${rows(all, columns)}`.execute(db)
  }
}
