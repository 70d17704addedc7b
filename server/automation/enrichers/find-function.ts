import { type Kysely, sql } from 'kysely'
import type { EnricherFunction } from './function.ts'
import { functionNamed, parseDefinition } from './functions/functions.ts'
import { ownTable } from './functions/table/own-table.ts'
import { TABLE } from './functions/table/table-function.ts'

/** The beginning of the names of functions that users define. */
export const DEFINED = 'http:'

/** The functions with these names: those of the platform, those that users defined, and tables. Unknown ones are absent. */
export async function findFunctions(
  db: Kysely<unknown>,
  names: readonly string[],
): Promise<ReadonlyMap<string, EnricherFunction>> {
  const found = new Map(
    [...new Set(names)].flatMap((name) => {
      const known = functionNamed(name)
      return known ? [[name, known] as const] : []
    }),
  )
  const askedAfter = (prefix: string) =>
    names.flatMap((name) => (!found.has(name) && name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  const tables = askedAfter(TABLE)
  if (tables.length > 0) {
    const { rows } = await sql<{ name: string }>`
      select name from enricher_tables where name = any(${tables}::text[])`.execute(db)
    for (const { name } of rows) found.set(`${TABLE}${name}`, ownTable(name))
  }
  const asked = askedAfter(DEFINED)
  if (asked.length === 0) return found
  const { rows } = await sql<{ name: string; definition: unknown }>`
    select name, definition from enricher_definitions where name = any(${asked}::text[])`.execute(db)
  for (const { name, definition } of rows) {
    const parsed = parseDefinition(name, definition)
    if ('function' in parsed) found.set(`${DEFINED}${name}`, parsed.function)
  }
  return found
}
