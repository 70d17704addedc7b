import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and } from '../../engine/select.ts'
import type { Values } from './values.ts'

/** Longer values are truncated before counting, because whole documents are of no use in a response. */
const MAX_VALUE_LENGTH = 1000

/** The rows whose values are counted, with the alias `t`; the table may be a CTE. */
export interface Rows {
  readonly first?: RawBuilder<unknown>
  readonly table: RawBuilder<unknown>
  readonly where: RawBuilder<SqlBool>
}

export interface ValueCount {
  /** The position of the field. */
  readonly n: number
  readonly value: string
  readonly count: number
}

/** The most frequent values of several fields, in one statement. */
export async function findMostFrequent(
  ctx: Context,
  { first = sql``, table, where }: Rows,
  fields: readonly (Values | undefined)[],
  limit: number,
): Promise<ValueCount[]> {
  const counts = fields.flatMap((values, n) =>
    values
      ? [
          sql`(
            select ${n}::integer as n, v.value, count(*) as count
            from (${valuesIn({ table, where }, { value: values })}) as v
            where v.value <> ''
            group by v.value
            order by count desc, v.value
            limit ${limit})`,
        ]
      : [],
  )
  if (counts.length === 0) return []
  const { rows } = await sql<ValueCount>`
    ${first}
    select n, value, count from (${sql.join(counts, sql` union all `)}) as c order by n, count desc, value`.execute(
    ctx.db,
  )
  return rows
}

/** The values of rows in some fields, each combination once per row, as columns with these names. */
export function valuesIn({ table, where }: Rows, fields: Readonly<Record<string, Values>>): RawBuilder<unknown> {
  const all = Object.values(fields)
  const columns = Object.entries(fields).map(
    ([name, { value }]) => sql`left(${value}, ${MAX_VALUE_LENGTH}) collate "C" as ${sql.ref(name)}`,
  )
  const isRepeated = all.some((values) => values.isRepeated)
  const conditions = all.flatMap(({ condition }) => (condition ? [condition] : []))
  return sql`
    select ${isRepeated ? sql`distinct t.id,` : sql``} ${sql.join(columns)}
    from ${table} as t ${sql.join(
      all.map(({ joins }) => joins),
      sql` `,
    )}
    where ${and([where, ...conditions])}`
}
