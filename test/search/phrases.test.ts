import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements: string[] = []

const COUNT = 300

/** Every text has both words: in every other one adjacent, in a third of the rest near each other. */
const description = (i: number): string =>
  i % 2 === 0 ? `${i} almost certain` : i % 3 === 0 ? `almost ${i} certain` : `certain ${i} one two three almost`

before(async () => {
  corvus = await startApp((statement) => statements.push(statement))
  const made = await corvus.call(
    'PUT',
    'entities',
    Array.from({ length: COUNT }, (_, i) => ({
      data: { type: 'report', title: `${(i * 7) % COUNT}`, description: description(i) },
      meta: i % 5 === 0 ? { tags: ['fifth'] } : {},
    })),
  )
  assert.equal(made.status, 201)
  // The planner then knows how common the words are.
  await corvus.pool.query('analyze entities')
})
after(() => corvus.stop())

interface Found {
  readonly data: { readonly description: string; readonly title: string }
}

/** All pages of a query; the total must be correct on every page. */
async function found(query: string, more: string, limit: number): Promise<Found[]> {
  const rows: Found[] = []
  let cursor: string | null = null
  do {
    const page = cursor === null ? '' : `&page[cursor]=${cursor}`
    const { status, body } = await corvus.call(
      'GET',
      `entities?query=${encodeURIComponent(query)}&limit=${limit}${more}${page}`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    rows.push(...body.data)
    cursor = body.cursor
    assert.ok(body.total_count >= rows.length)
    if (cursor === null) assert.equal(body.total_count, rows.length)
  } while (cursor !== null)
  return rows
}

const isNextTo = (i: number) => i % 2 === 0
const isNear = (i: number) => i % 2 === 0 || i % 3 === 0

const cases: [query: string, isFound: (i: number) => boolean][] = [
  ['"almost certain"', isNextTo],
  ['data.description:"almost certain"', isNextTo],
  ['"almost certain"~1', isNear],
  ['"almost certain" AND NOT tags:fifth', (i) => isNextTo(i) && i % 5 !== 0],
  ['almost AND NOT "almost certain"', (i) => !isNextTo(i)],
  ['"almost certain" OR (tags:fifth AND "three almost")', (i) => isNextTo(i) || (i % 5 === 0 && !isNear(i))],
  ['"certain almost"', () => false],
]

for (const [query, isFound] of cases) {
  test(`${query} finds the same with any page size and any order`, async () => {
    const wanted = Array.from({ length: COUNT }, (_, i) => i).filter(isFound)
    const texts = wanted.map(description)
    for (const limit of [60, 150]) {
      assert.deepEqual(
        (await found(query, '&sort=created_at', limit)).map(({ data }) => data.description).sort(),
        texts.toSorted(),
      )
      const byTitle = await found(query, '&sort=-data.title', limit)
      const titles = wanted
        .map((i) => `${(i * 7) % COUNT}`)
        .sort()
        .reverse()
      assert.deepEqual(
        byTitle.map(({ data }) => data.title),
        titles,
      )
      assert.equal((await found(query, '&sort=-_score', limit)).length, wanted.length)
    }
    const filtered = await found(query, '&filter[tags]=fifth', 50)
    assert.equal(filtered.length, wanted.filter((i) => i % 5 === 0).length)
  })
}

test('a page of a phrase checks only as many rows as it needs', async () => {
  statements = []
  const { body } = await corvus.call('GET', `entities?query=${encodeURIComponent('"almost certain"')}&limit=120`)
  assert.equal(body.data.length, 120)
  assert.equal(body.total_count, COUNT / 2)
  const looking = statements.filter((statement) => statement.includes('from (select x.* from found as x'))
  assert.equal(looking.length, 1)
})
