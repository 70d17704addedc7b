import type pg from 'pg'
import { clientOf } from '../cli/demo/client.ts'

/** A kind of query, as the parameters of a list request. */
export interface Kind {
  readonly name: string
  readonly search: string
}

interface Server {
  readonly url: string
  readonly token: string
  readonly pool: pg.Pool
}

/** Kinds of queries on the stored data, with words of the frequency that their names suggest. */
export async function kindsFor(server: Server): Promise<Kind[]> {
  const { pool } = server
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
  const stem = mid.slice(1, -1)
  const queries = [
    ['common term', common],
    ['rare term', rare],
    ['absent term', 'zzyzxabsent'],
    ['two terms, AND', `${mid} AND ${other}`],
    ['phrase', `data.description:"${await phraseOf(pool, words, 0.05)}"`],
    ['common phrase', `data.description:"${await phraseOf(pool, words, 0.7)}"`],
    ['field term', `data.title:${at(0.02)}`],
    ['tag', `tags:"${tags[0]?.tag ?? ''}"`],
    ['prefix', `data.description:${mid.slice(0, 3)}*`],
    ['infix', `data.description:*${stem}*`],
    ['fuzzy', `data.description:${mid.slice(0, 2)}x${mid.slice(3)}~1`],
    ['regular expression', `data.description:/${mid.slice(0, 2)}.${mid.slice(3)}s?/`],
    ['observable value', `extracts.value:"${values[0]?.value ?? ''}"`],
  ] as const
  const kinds = queries.map(([name, query]) => ({ name, search: `query=${encodeURIComponent(query)}` }))
  return [
    ...kinds,
    { name: 'range with sort', search: 'query=meta.half_life:[30 TO 90]&sort=-last_updated_at' },
    { name: 'two hops', search: await twoHops(server, 'threat-actor', 1) },
    { name: 'two hops from 1000', search: await twoHops(server, 'indicator', 1000) },
  ]
}

/** A dataset of what some entities reach in two hops, starting with the most related ones. */
async function twoHops({ url, token, pool }: Server, type: string, count: number): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from entities where type = $1 order by id offset 200 limit $2',
    [type, count],
  )
  const client = clientOf(url, token, new AbortController().signal)
  const relational_query = { start: { entities: rows.map(({ id }) => id) }, hops: [{}, {}] }
  const dataset = { name: `Two hops from ${count}`, workspaces: [1], relational_query }
  const made = await client.put('/api/v2/datasets', [dataset])
  return `filter[datasets]=${(made as { id: number }[])[0]?.id}`
}

interface Frequency {
  readonly word: string
  readonly share: number
}

/** Words of descriptions by descending frequency, as shares of a sample. */
async function frequencies(pool: pg.Pool): Promise<Frequency[]> {
  const { rows } = await pool.query<{ word: string; share: number }>(`
    select substr(s.word, 3) as word, s.ndoc::float8 / 5000 as share
    from ts_stat('select search from entities order by id limit 5000') as s
    where s.word like 'd' || chr(31) || '%' and substr(s.word, 3) ~ '^[a-z]{4,}$'
    order by s.ndoc desc, s.word`)
  return rows
}

/** Two adjacent words of about this frequency, if there are any. */
async function phraseOf(pool: pg.Pool, words: readonly Frequency[], share: number): Promise<string> {
  const { rows } = await pool.query<{ text: string }>(
    `select data ->> 'description' as text from entities where length(data ->> 'description') > 500 order by id limit 200`,
  )
  const shares = new Map(words.map((each) => [each.word, each.share]))
  const pairs = rows.flatMap(({ text }) => text.toLowerCase().match(/\b[a-z]{4,} [a-z]{4,}\b/g) ?? [])
  const farFrom = (pair: string) =>
    Math.max(...pair.split(' ').map((word) => Math.abs((shares.get(word) ?? 1) - share)))
  return pairs.reduce((best, pair) => (farFrom(pair) < farFrom(best) ? pair : best), pairs[0] ?? 'the server')
}
