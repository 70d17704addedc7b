import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { quote } from '../../search/lexemes.ts'

/** Each is one bit of an integer. */
const MAX_WORDS = 24

/**
 * The passages that share words with a query, best first. A word counts the more, the fewer of the passages that the caller sees have it:
 * what others have must not change the order.
 */
export async function passagesByWords(
  { db }: Context,
  query: string,
  isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>,
  limit: number,
): Promise<number[]> {
  const words = await wordsOf(db, query)
  if (words.length === 0) return []
  const any = words.map(quote).join(' | ')
  const bits = words.map((word, i) => sql`((p.search @@ ${quote(word)}::tsquery)::integer << ${sql.lit(i)})`)
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      select p.id, ${sql.join(bits, sql` | `)} as words
      from passages as p
      where p.search @@ ${any}::tsquery and ${isSeen(sql`p.vis`)}
    ), kinds as materialized (
      select f.words, count(*) as size from found as f group by 1
    ), weights as materialized (
      select b.bit, ln(1 + (select sum(size) from kinds) / sum(k.size)) as weight
      from kinds as k join generate_series(0, ${words.length - 1}) as b(bit) on (k.words >> b.bit) & 1 = 1
      group by 1
    ), scores as (
      select k.words, sum(w.weight) as score from kinds as k join weights as w on (k.words >> w.bit) & 1 = 1 group by 1
    )
    select f.id from found as f join scores as s on s.words = f.words
    order by s.score desc, f.id desc
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The words of a query without those of every text; of too many, the longest, because they say most. */
async function wordsOf(db: Context['db'], query: string): Promise<string[]> {
  const { rows } = await sql<{ lexeme: string }>`
    select lexeme from unnest(to_tsvector('english', ${query}::text)) order by length(lexeme) desc, lexeme limit ${MAX_WORDS}`.execute(
    db,
  )
  return rows.map(({ lexeme }) => lexeme)
}
