import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import { removeUnusedWords } from './remove-unused-words.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const removeUnused = () => removeUnusedWords(corvus.db, new AbortController().signal)

const report = (title: string, more: object = {}) => ({ data: { type: 'report', title }, ...more })

async function put(...items: object[]): Promise<string[]> {
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data.map(({ id }: { id: string }) => id)
}

async function known(...words: string[]): Promise<string[]> {
  const { rows } = await corvus.pool.query('select word from words where word = any($1) order by word', [words])
  return rows.map(({ word }) => word)
}

const total = async (query: string): Promise<number> =>
  (await corvus.call('GET', `entities?data=false&query=${encodeURIComponent(query)}`)).body.total_count

test('words that no entity holds are removed, and the others are not', async () => {
  const [first] = await put(
    report(`plover it's back\\slash`, { meta: { tags: ['Waders', `it's a \\tag`], alias: 'dotterel' } }),
    report('plover and whimbrel', { data: { type: 'report', title: 'plover and whimbrel', description: 'godwit' } }),
  )
  const words = ['plover', `it's`, 'back', 'slash', 'whimbrel', 'godwit', 'dotterel']
  const tags = ['g\u001fwaders', `g\u001fit's a \\tag`]
  await removeUnused()
  assert.deepEqual(await known(...words, ...tags), [...words, ...tags].sort())
  await corvus.call('PATCH', `entities/${first}`, { data: { title: 'dunlin' }, meta: { alias: null } })
  await removeUnused()
  assert.deepEqual(await known(...words, 'dunlin'), ['dunlin', 'godwit', 'plover', 'whimbrel'])
  await corvus.call('DELETE', `entities/${first}`)
  assert.equal((await removeUnused()).removed, 3)
  assert.deepEqual(await known(...words, ...tags, 'dunlin'), ['godwit', 'plover', 'whimbrel'])
  assert.equal((await removeUnused()).removed, 0)
})

test('a removed word is found again when it comes back, however it comes', async () => {
  const back: Record<string, () => Promise<unknown>> = {
    PUT: () => put(report('curlewish', { meta: { tags: ['shorebird'] } })),
    POST: () => corvus.call('POST', 'entities', report('curlewish', { meta: { tags: ['shorebird'] } })),
    'PUT of many': () =>
      put(
        report('curlewish', { meta: { tags: ['shorebird'] } }),
        ...Array.from({ length: 150 }, (_, i) => report(`x ${i}`)),
      ),
    PATCH: async () => {
      const [id] = await put(report('plain'))
      await corvus.call('PATCH', `entities/${id}`, { data: { title: 'curlewish' }, meta: { tags: ['shorebird'] } })
    },
    'a renamed tag': async () => {
      await put(report('curlewish', { meta: { tags: ['seabird'] } }))
      await corvus.call('PATCH', 'tags/seabird', { name: 'shorebird' })
    },
  }
  for (const [name, write] of Object.entries(back)) {
    await write()
    assert.equal(await total('*urlewis?'), 1, name)
    assert.equal(await total('tags:*orebir*'), 1, name)
    const { body } = await corvus.call('GET', 'entities?query=curlewish')
    await corvus.call('DELETE', 'entities', { data: body.data.map(({ id }: { id: string }) => id) })
    await removeUnused()
    assert.deepEqual(await known('curlewish', 'g\u001fshorebird'), [], name)
  }
})

test('the title of a placeholder is found by a pattern, whether or not others hold its words', async () => {
  const id = '{https://corvus.example/}malware-9e21b3a4-5c77-4d0e-8f6a-1b2c3d4e5f60'
  await put(report('refers', { data: { type: 'report', title: 'refers', object_refs: [id] } }))
  const { body } = await corvus.call('GET', `entities?query=${encodeURIComponent('data.title:?e21b3a4')}`)
  const isMade = (await corvus.call('GET', `entities?filter[data.id]=${encodeURIComponent(id)}`)).body.total_count
  assert.equal(body.total_count, isMade)
  assert.equal(isMade, 1)
})

test('no word is lost that is written while words are removed', async () => {
  const words = Array.from({ length: 12 }, (_, i) => `stint${i}`)
  let isDone = false
  const write = async (n: number) => {
    for (let round = 0; round < effort(60, 12); round++) {
      const word = words[(n * 5 + round * 7) % words.length] ?? ''
      const [id] = await put(report(word, { meta: { tags: [`${word}-t`] } }))
      const found = await corvus.call(
        'GET',
        `entities?query=${encodeURIComponent(`?${word.slice(1)} AND tags:?${word.slice(1)}-t`)}`,
      )
      const ids = found.body.data.map((each: { id: string }) => each.id)
      assert.ok(ids.includes(id), `${word} was lost`)
      await corvus.call('DELETE', `entities/${id}`)
    }
  }
  const removing = (async () => {
    while (!isDone) await removeUnused()
  })()
  await Promise.all([0, 1, 2, 3].map(write)).finally(() => {
    isDone = true
  })
  await removing
  await removeUnused()
  assert.deepEqual(await known(...words), [])
})
