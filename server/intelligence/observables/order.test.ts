import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
const readers: string[] = []

before(async () => {
  corvus = await startApp()
  const sources: string[] = []
  for (const name of ['One', 'Two']) {
    const token = await corvus.tokenFor('all')
    const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
    const group = (await corvus.call('POST', 'groups', { name })).body.data
    await corvus.call('PATCH', `users/${id}`, { groups: [group.id] })
    readers.push(token)
    // The second reader also sees everything that the first one sees.
    sources.push(`${group.source}?allowed_tlp=RED`)
    await corvus.call('PATCH', `groups/${group.id}`, { sources })
  }
  for (let i = 0; i < 24; i++) await write(i)
  await hideMany()
})
after(() => corvus.stop())

const levels = ['high', 'unknown', 'safe', 'low'] as const

/** Observables created alone and with entities, some of them twice or visible to both readers, and a few later verdicts. */
async function write(i: number): Promise<void> {
  const [writer = '', other = ''] = i % 2 === 0 ? readers : readers.toReversed()
  const values = [0, 1, 2].map((n) => ({ type: 'domain', value: `host-${(i * 5 + n * 7) % 40}.example` }))
  const level = levels[(i >> 1) % levels.length]
  if (i % 3 === 0) {
    const [first] = values
    const { body } = await corvus.call('POST', 'observables', { ...first, meta: { maliciousness: level } }, writer)
    if (i % 4 === 0)
      await corvus.call('PATCH', `observables/${body.data?.id}`, { meta: { maliciousness: 'low' } }, other)
  } else {
    const observables = values.map((value) => ({ ...value, meta: { maliciousness: level } }))
    const data = { type: 'indicator', title: `Entity ${i}` }
    assert.equal((await corvus.call('POST', 'entities', { data, observables }, writer)).status, 201)
  }
}

/** Invisible observables, before and after all others, more than are checked one by one. */
async function hideMany(): Promise<void> {
  await corvus.pool.query(`
    with made as (
      insert into observables (type, value)
      select 'domain', 'hidden-' || n || '.example' from generate_series(1, 12000) as n
      returning id)
    insert into observable_records (observable, vis, created_at, last_updated_at)
    select id, 8000, at, at from made, lateral (
      select now() + case when id % 2 = 0 then interval '1 hour' else interval '-1 hour' end as at) as a`)
}

interface Shown {
  readonly id: number
  readonly created_at: string
  readonly last_updated_at: string
  readonly meta: { readonly maliciousness: (typeof MALICIOUSNESS)[number] }
}

const keys: Readonly<Record<string, (shown: Shown) => string | number>> = {
  created_at: ({ created_at }) => created_at,
  last_updated_at: ({ last_updated_at }) => last_updated_at,
  'meta.maliciousness': ({ meta }) => MALICIOUSNESS.indexOf(meta.maliciousness),
}

/** All pages of a list. */
async function pages(token: string, query: string): Promise<{ ids: number[]; rows: Shown[]; totals: Set<number> }> {
  const rows: Shown[] = []
  const totals = new Set<number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `observables?${query}&limit=7${cursor && `&page[cursor]=${cursor}`}`
    const { status, body } = await corvus.call('GET', path, undefined, token)
    assert.equal(status, 200, JSON.stringify(body))
    rows.push(...body.data)
    totals.add(body.total_count)
    cursor = body.cursor ?? null
  }
  return { ids: rows.map(({ id }) => id), rows, totals }
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

for (const [path, keyOf] of Object.entries(keys)) {
  test(`observables are sorted by ${path} as each reader sees it, both ways and page by page`, async () => {
    for (const reader of readers) {
      const { rows } = await pages(reader, '')
      assert.ok(rows.length > 10 && new Set(rows.map(keyOf)).size > 2)
      const expected = rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || a.id - b.id).map(({ id }) => id)
      const up = await pages(reader, `sort=${path}`)
      assert.deepEqual([up.ids, [...up.totals]], [expected, [rows.length]])
      assert.deepEqual((await pages(reader, `sort=-${path}`)).ids, expected.toReversed())
    }
  })
}

for (const path of ['created_at', 'last_updated_at']) {
  test(`a filter on ${path} goes by what each reader sees, in any order`, async () => {
    for (const reader of readers) {
      const { rows } = await pages(reader, `sort=${path}`)
      const moment = String(keys[path]?.(rows[Math.floor(rows.length / 2)] as Shown))
      const tests = {
        '>': (n: number) => n > 0,
        '<': (n: number) => n < 0,
        '>=': (n: number) => n >= 0,
        '': (n: number) => n === 0,
      }
      for (const [operator, isWanted] of Object.entries(tests)) {
        const wanted = rows.filter((row) => isWanted(compare(String(keys[path]?.(row)), moment))).map(({ id }) => id)
        for (const sort of [path, 'id', '-created_at']) {
          const query = `filter[${operator}${path}]=${encodeURIComponent(moment)}&sort=${sort}`
          const { ids, totals } = await pages(reader, query)
          assert.deepEqual([ids.toSorted(), [...totals]], [wanted.toSorted(), [wanted.length]], query)
        }
      }
    }
  })
}

test('totals are exact even if a lower cap is requested', async () => {
  const [reader = ''] = readers
  const { totals } = await pages(reader, '')
  const [all = 0] = totals
  const total = async (cap: number) =>
    (await corvus.call('GET', `observables?limit=1&meta[total_resources_aggregated]=${cap}`, undefined, reader)).body
      .total_count
  assert.equal(await total(all), all)
  assert.equal(await total(0), all)
  assert.equal(await total(5), all)
})
