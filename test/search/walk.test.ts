import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'

const KEPT = 240
/** Concurrent inserts must not outrun the reader. */
const ROUNDS = 150

let corvus: Awaited<ReturnType<typeof startApp>>
let kept: string[]
let dataset = 0

const item = (name: string, i: number) => ({
  data: { type: i % 2 ? 'indicator' : 'report', title: `Heron ${name} ${i}`, description: `A steady stream of ${i}` },
  meta: { tags: ['river', `bank-${i % 5}`], half_life: 10 + (i % 90) },
  observables: [{ type: 'domain', value: `${name}${i % 3}.example` }],
})

async function put(name: string, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, i) => item(name, i))
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.equal(status, 201, JSON.stringify(body).slice(0, 300))
  return body.data.map(({ id }: { id: string }) => id)
}

before(async () => {
  corvus = await startApp()
  kept = await put('kept', KEPT)
  const relational_query = { start: { query: 'river' }, hops: [{ via: 'observables' }], include: 'all' }
  const made = await corvus.call('POST', 'datasets', { data: { name: 'Rivers', workspaces: [1], relational_query } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  dataset = made.body.data.id
})
after(() => corvus.stop())

const KINDS: Record<string, () => string> = {
  'a common term': () => 'query=heron',
  'two terms': () => 'query=heron AND stream',
  'a phrase': () => 'query="steady stream"',
  'a field': () => 'query=data.type:report',
  'a tag': () => 'query=tags:"bank-3"',
  'a range with a sort': () => 'query=meta.half_life:[20 TO 60]&sort=-last_updated_at',
  'a prefix': () => 'query=her*',
  'an infix': () => 'query=*ero*',
  'a fuzzy word': () => 'query=herin~1',
  'a regular expression': () => 'query=/h.r[aeiou]n/',
  'an observable': () => 'query=extracts.value:"kept1.example"',
  'a negation': () => 'query=NOT tags:"bank-1"',
  everything: () => 'query=*:*&sort=-created_at',
  'the best first': () => 'query=heron OR stream&sort=-_score',
  relations: () => `filter[datasets]=${dataset}`,
}

interface Page {
  readonly data: { id: string }[]
  readonly total_count: number
  readonly cursor: string | null
}

async function page(search: string, cursor: string | null): Promise<Page> {
  const path = `entities?${search}&limit=17${cursor ? `&page[cursor]=${cursor}` : ''}`
  const { status, body } = await corvus.call('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function walk(search: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const { data, cursor: next }: Page = await page(search, cursor)
    ids.push(...data.map(({ id }) => id))
    cursor = next
  } while (cursor)
  return ids
}

for (const [name, search] of Object.entries(KINDS)) {
  test(`${name}: a walk returns as many as counted, each once`, async () => {
    const { total_count } = await page(search(), null)
    const ids = await walk(search())
    assert.ok(total_count > 17)
    assert.equal(ids.length, total_count)
    assert.equal(new Set(ids).size, total_count)
  })
}

test('during concurrent writes, a walk returns nothing twice and omits nothing that stays', async () => {
  const searches = Object.entries(KINDS).filter(([name]) => name !== 'the best first')
  const before = await Promise.all(searches.map(([, search]) => walk(search())))
  let isDone = false
  const writing = (async () => {
    for (let round = 0; round < ROUNDS && !isDone; round++) {
      const added = await put(`round${round}`, 4)
      const touched = kept[round % 3] ?? ''
      const patch = { meta: { tags: ['river', `bank-${round % 3}`, 'touched'] } }
      assert.equal((await corvus.call('PATCH', `entities/${touched}`, { data: patch })).status, 200)
      assert.equal((await corvus.call('DELETE', 'entities', { data: added.slice(0, 3) })).status, 204)
    }
  })()
  try {
    for (const [i, [name, search]] of searches.entries()) {
      const ids = await walk(search())
      assert.equal(new Set(ids).size, ids.length, `${name} repeats`)
      const steady = new Set(kept.slice(3))
      const missing = (before[i] ?? []).filter((id) => steady.has(id) && !ids.includes(id))
      assert.deepEqual(missing, [], `${name} leaves out`)
    }
  } finally {
    isDone = true
    await writing
  }
})
