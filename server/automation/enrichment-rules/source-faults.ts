import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Criterion } from './criteria.ts'

/** What is wrong with the sources that the criteria of rules name, for each rule. Checked in one statement. */
export async function sourceFaults(
  { db }: Pick<Context, 'db'>,
  rules: readonly (readonly Criterion[])[],
): Promise<readonly string[][]> {
  const named = [...new Set(rules.flat().flatMap(({ source }) => source ?? []))]
  if (named.length === 0) return rules.map(() => [])
  const { rows } = await sql<{ id: string }>`select id from sources where id = any(${named}::uuid[])`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return rules.map((criteria) =>
    criteria.flatMap(({ source }, place) =>
      source === null || known.has(source) ? [] : [`criteria[${place}].source: there is no '${source}' in sources.`],
    ),
  )
}
