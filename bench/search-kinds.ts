import type pg from 'pg'

/** A kind of query, as the parameters of a list request. */
export interface Kind {
  readonly name: string
  readonly query: string
  readonly sort?: string
}

/** Kinds of queries over what is stored, with words that are as frequent as their names say. */
export async function kindsFor(pool: pg.Pool): Promise<Kind[]> {
  const words = await frequencies(pool)
  const at = (share: number) =>
    words.reduce((best, each) => (Math.abs(each.share - share) < Math.abs(best.share - share) ? each : best)).word
  const [common, mid, other] = [at(0.7), at(0.05), at(0.08)]
  const rare = words.filter(({ word }) => /^[a-z]{5,}$/.test(word)).at(-1)?.word ?? 'rare'
  const { rows: tags } = await pool.query<{ tag: string }>(
    'select unnest(tags) as tag from entities group by 1 order by count(*) desc offset 5 limit 1',
  )
  const { rows: values } = await pool.query<{ value: string }>(
    `select value from observables where type = 'domain' order by id limit 1 offset 100`,
  )
  const phrase = await phraseOf(pool)
  const stem = mid.slice(1, -1)
  return [
    { name: 'common term', query: common },
    { name: 'rare term', query: rare },
    { name: 'absent term', query: 'zzyzxabsent' },
    { name: 'two terms, AND', query: `${mid} AND ${other}` },
    { name: 'phrase', query: `data.description:"${phrase}"` },
    { name: 'field term', query: `data.title:${at(0.02)}` },
    { name: 'tag', query: `tags:"${tags[0]?.tag ?? ''}"` },
    { name: 'range with sort', query: 'meta.half_life:[30 TO 90]', sort: '-last_updated_at' },
    { name: 'prefix', query: `data.description:${mid.slice(0, 3)}*` },
    { name: 'infix', query: `data.description:*${stem}*` },
    { name: 'fuzzy', query: `data.description:${mid.slice(0, 2)}x${mid.slice(3)}~1` },
    { name: 'regular expression', query: `data.description:/${mid.slice(0, 2)}.${mid.slice(3)}s?/` },
    { name: 'observable value', query: `extracts.value:"${values[0]?.value ?? ''}"` },
  ]
}

interface Frequency {
  readonly word: string
  readonly share: number
}

/** Words of descriptions from the most to the least frequent, as shares of a sample. */
async function frequencies(pool: pg.Pool): Promise<Frequency[]> {
  const { rows } = await pool.query<{ word: string; share: number }>(`
    select substr(s.word, 3) as word, s.ndoc::float8 / 5000 as share
    from ts_stat('select search from entities order by id limit 5000') as s
    where s.word like 'd' || chr(31) || '%' and substr(s.word, 3) ~ '^[a-z]{4,}$'
    order by s.ndoc desc, s.word`)
  return rows
}

/** Two words that stand next to each other in a description. */
async function phraseOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ text: string }>(`
    select data ->> 'description' as text from entities where length(data ->> 'description') > 500 order by id limit 1`)
  return /\b[a-z]{4,} [a-z]{4,}\b/.exec(rows[0]?.text ?? '')?.[0] ?? 'the server'
}
