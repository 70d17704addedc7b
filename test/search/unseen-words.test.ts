import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let reader: string

const LIMIT = 1024

/** `count` words that have a first letter in common and nothing else. */
const words = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter}q${i.toString(36)}z`)

const report = (title: string, more: object = {}) => ({ data: { type: 'report', title }, ...more })

/** Reports that contain these words, fifty in each. */
const holding = (all: readonly string[], more: object = {}) =>
  Array.from({ length: Math.ceil(all.length / 50) }, (_, i) =>
    report(`${all.slice(i * 50, i * 50 + 50).join(' ')} end`, more),
  )

async function put(items: object[], token?: string): Promise<void> {
  const { status, body } = await corvus.call('PUT', 'entities', items, token)
  assert.equal(status, 201, JSON.stringify(body).slice(0, 300))
}

/** The result of a query, without stamps that differ between entities. */
async function ask(query: string, token: string, more = ''): Promise<unknown> {
  const { status, body } = await corvus.call(
    'GET',
    `entities?limit=500${more}&query=${encodeURIComponent(query)}`,
    undefined,
    token,
  )
  if (status !== 200) return { status, body }
  return { total: body.total_count, titles: body.data.map(({ data }: { data: { title: string } }) => data.title) }
}

before(async () => {
  corvus = await startApp()
  reader = await corvus.tokenFor(['read entities', 'modify entities'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, reader)).body.data
  const made = await corvus.call('POST', 'groups', { name: 'Readers' })
  assert.equal(made.status, 201)
  const moved = await corvus.call('PATCH', `users/${id}`, { groups: [made.body.data.id] })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  await put(
    [
      ...holding(words('v', 20)),
      report('vqhit vqhit vqhit', { meta: { tags: ['vq-tag'] } }),
      report('nothing of the kind', { meta: { tags: ['other'] } }),
      report('vqhit among many other words that say little'),
    ],
    reader,
  )
})
after(() => corvus.stop())

const QUERIES = [
  '*q*z',
  'vq?*',
  '/vq.*/',
  'data.title:/[a-z]q.*/',
  'NOT data.title:?q*',
  'tags:*-*',
  '/v[a-z0-9]+t/',
  'vqhir~1',
  'data.title:{vq TO vr}',
  'meta.title:*qhi*',
]

test('what a pattern finds does not depend on words that the caller may not see', async () => {
  const answers = () =>
    Promise.all(QUERIES.flatMap((query) => [ask(query, reader), ask(query, reader, '&sort=-_score')]))
  const before = await answers()
  // Nothing has changed for the caller, but the words of others now exceed the limit of words per pattern.
  const tags = words('g', 2 * LIMIT).map((word) => `${word}-t`)
  await put([
    ...holding(words('v', 2 * LIMIT)),
    ...holding(words('w', 2 * LIMIT)),
    ...Array.from({ length: 40 }, (_, i) => report('hidden', { meta: { tags: tags.slice(i * 50, i * 50 + 50) } })),
  ])
  assert.deepEqual(await answers(), before)
})

test('no pattern shows by an error whether a word exists', async () => {
  await put(holding(words('x', LIMIT)))
  const exact = await ask('/xq.*z|secretword/', reader)
  await put([report('secretword')])
  assert.deepEqual(await ask('/xq.*z|secretword/', reader), exact)
  assert.deepEqual(exact, { total: 0, titles: [] })
})

test('a pattern that matches thousands of words finds all entities with one of them', async () => {
  const all = (await corvus.call('GET', 'entities?data=false')).body.total_count
  const totals = async (query: string) => (await ask(query, corvus.admin)) as { total: number }
  assert.equal((await totals('data.title:*z')).total, 82 + 21)
  assert.equal((await totals('data.title:/[vw]q.*z/')).total, 82)
  assert.equal((await totals('data.title:{vq TO wr}')).total, 82)
  assert.equal((await totals('NOT data.title:*z')).total, all - 82 - 21)
  assert.equal((await totals('data.title:*z AND data.title:vq0z')).total, 1)
  assert.equal((await totals('tags:g*-?')).total, 40)
})

test('many patterns with many words each are answered, even if others have most of the words', async () => {
  const many = Array.from({ length: 45 }, (_, i) => `data.title:*${i.toString(36).at(-1)}z`).join(' ')
  const answer = (await ask(many, reader)) as { total: number }
  assert.deepEqual(answer, { total: 1, titles: [`${words('v', 20).join(' ')} end`] })
})
