import { parseArgs } from 'node:util'
import { startServer } from './server.ts'

type Running = Awaited<ReturnType<typeof startServer>>

const TAXII = 'application/taxii+json;version=2.1'
const PAGE = 1000

/** Reads of a whole collection, page by page, with and without filters. */
const WAYS: readonly (readonly [name: string, path: string])[] = [
  ['objects', 'objects/?'],
  ['manifest', 'manifest/?'],
  ['all versions', 'objects/?match[version]=all'],
  ['first versions', 'objects/?match[version]=first'],
  ['one type', 'objects/?match[type]=indicator'],
  ['three types', 'objects/?match[type]=indicator,malware,tool'],
]

/**
 * Measures how long a page of a TAXII collection takes at its beginning and end: the medians of the first and last
 * tenth of all pages. Every tenth object has an older version.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { objects: { type: 'string', default: '100000' } } })
  const server = await startServer()
  try {
    const id = await load(server, Number(values.objects))
    const root = `${server.url}/taxii2/root/collections/${id}/`
    console.log(
      `${'what'.padEnd(16)}${'objects'.padStart(9)}${'objects/s'.padStart(11)}${'first ms'.padStart(10)}${'last ms'.padStart(9)}${'ratio'.padStart(7)}`,
    )
    for (const [name, path] of WAYS) {
      // The first walk is a warm-up.
      await walk(server, `${root}${path}`)
      report(name, await walk(server, `${root}${path}`))
    }
  } finally {
    await server.stop()
  }
}

async function load({ pool }: Running, count: number): Promise<string> {
  const { rows } = await pool.query<{ feed: number; id: string }>(
    `insert into outgoing_feeds (name, content_type, transport_type)
     values ('Bench', 'urn:oasis:stix:json:2.1', 'eiq.outgoing-transports.taxii2')
     returning id as feed, collection_id as id`,
  )
  const { feed, id } = rows[0] ?? { feed: 0, id: '' }
  await pool.query(
    `insert into collection_objects (feed, added_at, stix_id, type, spec_version, version, is_latest, hash, object)
     select $1, at, type || '--' || uuid, type, '2.1', at, n % 10 > 0, '',
       json_build_object('type', type, 'spec_version', '2.1', 'id', type || '--' || uuid, 'modified', at,
         'name', 'Object ' || n, 'pattern', '[domain-name:value = ''' || md5(n::text) || '.example'']',
         'description', repeat('What is known of it. ', 20))::text
     from (
       select n, (array['indicator', 'indicator', 'indicator', 'malware', 'tool', 'relationship'])[owner % 6 + 1] as type,
         md5(owner::text)::uuid as uuid, timestamptz '2024-01-01' + n * interval '1 millisecond' as at
       from (select n, n + (n % 10 = 0)::integer as owner from generate_series(1, $2) as s(n)) as numbered
     ) as made`,
    [feed, count],
  )
  await pool.query('vacuum analyze collection_objects')
  return id
}

interface Walked {
  readonly objects: number
  readonly pages: readonly number[]
}

async function walk({ token }: Running, url: string): Promise<Walked> {
  const headers = { authorization: `Bearer ${token}`, accept: TAXII, 'accept-encoding': 'identity' }
  const pages: number[] = []
  let objects = 0
  for (let next = ''; ; ) {
    const start = performance.now()
    const answer = await fetch(`${url}&limit=${PAGE}${next}`, { headers })
    const text = await answer.text()
    pages.push(performance.now() - start)
    if (!answer.ok) throw new Error(`${url}: ${text}`)
    const body = JSON.parse(text)
    objects += body.objects?.length ?? 0
    if (!body.more) return { objects, pages }
    next = `&next=${body.next}`
  }
}

function report(name: string, { objects, pages }: Walked): void {
  // The very last page is seldom full.
  const whole = pages.slice(0, -1)
  const tenth = Math.max(1, Math.floor(whole.length / 10))
  const [first, last] = [median(whole.slice(0, tenth)), median(whole.slice(-tenth))]
  const seconds = pages.reduce((sum, page) => sum + page, 0) / 1000
  const columns = [
    String(objects).padStart(9),
    (objects / seconds).toFixed(0).padStart(11),
    first.toFixed(1).padStart(10),
    last.toFixed(1).padStart(9),
    (last / first).toFixed(2).padStart(7),
  ]
  console.log(`${name.padEnd(16)}${columns.join('')}`)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
