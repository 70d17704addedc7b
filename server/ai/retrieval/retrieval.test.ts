import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { retrieval } from '../../../test/set-up/passages.ts'
import { countedWords, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let passages: Awaited<ReturnType<typeof retrieval>>
/** A reader of the same source, up to GREEN. */
let reader: string

before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  passages = await retrieval(corvus)
  reader = await corvus.tokenFor(['read configurations', 'read entities'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, reader)).body.data
  const { rows } = await corvus.pool.query(`select source from groups where name = 'Default'`)
  await corvus.pool.query('delete from group_users where target = $1', [id])
  const sources = [`${rows[0].source}?allowed_tlp=GREEN`]
  const { status, body } = await corvus.call('POST', 'groups', { data: { name: 'Readers', users: [id], sources } })
  assert.equal(status, 201, JSON.stringify(body))
})
beforeEach(async () => {
  provider.embeds(countedWords)
  await corvus.pool.query('delete from settings')
  await corvus.pool.query('delete from entities')
  await corvus.pool.query('delete from passage_spaces')
  await corvus.pool.query('delete from passages')
  await corvus.pool.query(
    'update passage_index set has_begun = false, is_complete = false, reached = null, failures = 0',
  )
  await corvus.pool.query(`update passage_index set next_attempt_at = now(), claim = null, last_error = null`)
  provider.prompts.length = 0
})
after(async () => {
  await passages.stop()
  await provider.stop()
  await corvus.stop()
})

const EMBEDDING = { selected_embedding_model: 'text-embedding-scripted' }
const use = (more: object = EMBEDDING) => useProvider(corvus, provider, ['ai_assistant'], { ...more })

async function store(title: string, description: string, tlp_color = 'GREEN', type = 'report'): Promise<string> {
  const data = { type, title, description }
  const { status, body } = await corvus.call('POST', 'entities', { data: { data, meta: { tlp_color } } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

async function change(id: string, data: object, tlp_color = 'GREEN'): Promise<void> {
  const { status, body } = await corvus.call('PATCH', `entities/${id}`, { data: { data, meta: { tlp_color } } })
  assert.equal(status, 200, JSON.stringify(body))
}

const titles = async (...asked: Parameters<typeof passages.find>) =>
  (await passages.find(...asked)).passages.map(({ entity }) => entity.title)

const state = async (): Promise<string> =>
  (await corvus.call('GET', 'configurations/ai')).body.data[0].ai_assistant.rag_state

/** Every text that the provider received. */
const embedded = (): string[] => provider.prompts.flatMap(({ input }) => input)

test('without an embedding model, passages are found by their words', async () => {
  await store(
    'Grey Heron',
    'The group rents servers in harbour towns and steals the mail of shipping companies.',
    'GREEN',
    'threat-actor',
  )
  await store('Weather', 'Rain is expected in most harbour towns.')
  await store('An indicator', 'It steals mail.', 'GREEN', 'indicator')
  await use({})
  await passages.make()
  const found = await passages.find('Who has stolen mails of shipping companies?')
  assert.equal(found.isSemantic, false)
  assert.deepEqual(
    found.passages.map(({ entity }) => entity.title),
    ['Grey Heron'],
  )
  assert.match(found.passages[0]?.text ?? '', /^The group rents/)
  assert.deepEqual(await titles('harbour'), ['Weather', 'Grey Heron'])
  assert.deepEqual(await titles('the of and'), [])
  assert.equal(await state(), 'not-configured')
  assert.deepEqual(provider.prompts, [])
})

test('nothing is kept and nothing is sent before AI is allowed and the assistant has a provider', async () => {
  await store('Grey Heron', 'Steals mail.')
  await useProvider(corvus, provider, [], EMBEDDING)
  await passages.make()
  await store('Bittern', 'Steals mail, too.')
  await passages.make()
  assert.deepEqual([await titles('mail'), provider.prompts], [[], []])
  await use()
  await passages.make()
  assert.deepEqual(await titles('mail'), ['Bittern', 'Grey Heron'])
  assert.equal(await state(), 'success')
})

for (const more of [{}, EMBEDDING])
  test(`a restricted passage changes nothing for others, ${'selected_embedding_model' in more ? 'by meaning' : 'by words'}`, async () => {
    const question = 'Which dam does the plan of Nightjar flood, and which valley?'
    for (let i = 0; i < 12; i++)
      await store(`Report ${i}`, `The dam of valley ${i} was repaired. ${'A plan for floods exists. '.repeat(i % 4)}`)
    await use({ ...more, max_tlp: 'RED' })
    await passages.make()
    const before = await titles(question, reader)
    assert.ok(before.length === 10)
    await store('Nightjar', 'The plan of Nightjar is to flood the valley below the dam of Alder Creek.', 'RED')
    await passages.make()
    assert.equal((await titles(question))[0], 'Nightjar')
    assert.deepEqual(await titles(question, reader), before)
  })

/** Ten parts with the same words, more than are looked at for a reader of one passage. */
const FLOODS = Array.from({ length: 300 }, (_, i) => `The plan floods valley ${i * 7919}. `).join('')

for (const [how, question] of [
  ['words', 'flood'],
  ['meaning', 'zugzwang'],
] as const)
  test(`restricted passages that are nearer take no places of what a reader sees, by ${how}`, async () => {
    // Nothing has a word in common with the second question, but what is restricted means the same.
    provider.embeds((text) => (/floods|zugzwang/.test(text) ? [1, 1, 1, 1] : [1, 1, 1, -1]))
    await use({ ...(how === 'meaning' && EMBEDDING), max_tlp: 'RED' })
    await store('Heron', how === 'words' ? 'A flood.' : 'Heron reads mail.')
    const nightjar = await store('Nightjar', FLOODS)
    await passages.make()
    assert.deepEqual(await titles(question, reader, { limit: 1 }), ['Nightjar'])
    await change(nightjar, {}, 'RED')
    await passages.make()
    assert.deepEqual(await titles(question, reader, { limit: 1 }), ['Heron'])
    assert.deepEqual(await titles(question, corvus.admin, { limit: 1 }), ['Nightjar'])
  })

test('what is too restricted for a provider is neither embedded nor found for it', async () => {
  const forProvider = (query: string) => titles(query, corvus.admin, { ceiling: 'GREEN' })
  await store('Nightjar', 'The plan of Nightjar is to flood the valley.', 'RED')
  const open = await store('Heron', 'The plan of Heron is to read mail.')
  await use()
  await passages.make()
  assert.deepEqual([await forProvider('the plan'), await state()], [['Heron'], 'success'])
  assert.ok(embedded().length === 2 && !embedded().join().includes('Nightjar'), embedded().join())
  assert.deepEqual(await forProvider('Nightjar'), ['Heron'])
  assert.deepEqual((await titles('Nightjar')).sort(), ['Heron', 'Nightjar'])
  await change(open, { type: 'report', title: 'Heron', description: 'The plan of Heron is to sink ships.' }, 'AMBER')
  assert.deepEqual(await forProvider('the plan'), [], 'before the follower has seen it')
  await passages.make()
  assert.deepEqual(await forProvider('the plan'), [])
  await use({ ...EMBEDDING, max_tlp: 'RED' })
  provider.prompts.length = 0
  await passages.make()
  assert.deepEqual(embedded().length, 2)
  assert.deepEqual((await titles('sink ships')).sort(), ['Heron', 'Nightjar'])
})

test('changes, deletions and colours reach the passages, and readers at once', async () => {
  await use({ ...EMBEDDING, max_tlp: 'RED' })
  const sentences = Array.from({ length: 100 }, (_, i) => `Heron reads mail ${i}. `).join('')
  const id = await store('Heron', `${sentences}It also sinks ships.`)
  await passages.make()
  const parts = async () =>
    (await corvus.pool.query('select count(*) as n, count(distinct vis) as keys from passages')).rows[0]
  assert.deepEqual(await parts(), { n: 3, keys: 1 })
  assert.match((await passages.find('sinks ships', reader)).passages[0]?.text ?? '', /sinks ships/)

  provider.prompts.length = 0
  await change(id, {}, 'RED')
  assert.deepEqual(await titles('sinks ships', reader), [], 'before the follower has seen it')
  await passages.make()
  assert.deepEqual([await titles('sinks ships', reader), (await titles('sinks ships')).length], [[], 3])
  assert.deepEqual(embedded(), ['sinks ships', 'sinks ships', 'sinks ships'], 'the same texts keep their vectors')
  await change(id, {}, 'GREEN')
  await passages.make()
  assert.equal((await titles('sinks ships', reader)).length, 3)

  await change(id, { type: 'report', title: 'Egret', description: 'Nothing is known.' })
  await passages.make()
  assert.deepEqual(await parts(), { n: 1, keys: 1 })
  assert.deepEqual(
    (await passages.find('sinks ships')).passages.map(({ text }) => text),
    ['Nothing is known.'],
  )
  await corvus.call('DELETE', `entities/${id}`)
  assert.deepEqual(await titles('Egret'), [], 'before the follower has seen it')
  await passages.make()
  assert.deepEqual(await parts(), { n: 0, keys: 0 })
  const { rows } = await corvus.pool.query(
    'select (select count(*) from passage_codes) + (select count(*) from passage_vectors) as n',
  )
  assert.deepEqual(rows, [{ n: 0 }])
})

test('the same words are given once, also if another entity has them, and only if they are seen there', async () => {
  await use({ ...EMBEDDING, max_tlp: 'RED' })
  await store('Heron', 'Heron reads mail.')
  await store('Heron of another feed', 'Heron reads mail.', 'RED')
  await passages.make()
  assert.equal((await titles('mail')).length, 1)
  assert.deepEqual(await titles('mail', reader), ['Heron'])
})

const LONG = Array.from({ length: 2500 }, (_, i) => `Sentence ${i} tells about bird ${i * 7919}. `).join('')

test('another model is used once it has embedded everything', async () => {
  await use()
  await store('Birds', LONG)
  await passages.make()
  const { rows } = await corvus.pool.query('select count(*) as n from passages')
  const { n } = rows[0]
  assert.ok(n > 70 && embedded().length === n, `${n} ${embedded().length}`)
  provider.prompts.length = 0
  await use({ selected_embedding_model: 'other' })
  assert.equal(await state(), 'indexing')
  // The provider fails in the middle.
  provider.embeds((text) => (provider.prompts.length > 1 ? [] : countedWords(text)))
  await passages.make()
  assert.deepEqual([await state(), provider.prompts.map(({ model }) => model)], ['error', ['other', 'other']])
  provider.embeds(countedWords)
  assert.equal((await passages.find('bird 7919')).isSemantic, true)
  assert.equal(provider.prompts.at(-1)?.model, 'text-embedding-scripted', 'the old vectors are still searched')
  provider.prompts.length = 0
  await corvus.pool.query('update passage_index set next_attempt_at = now()')
  await passages.make()
  assert.equal(await state(), 'success')
  assert.equal(embedded().length, n - 64, 'what was done before the failure is kept')
  assert.equal((await passages.find('bird 7919')).isSemantic, true)
  assert.equal(provider.prompts.at(-1)?.model, 'other')
  const vectors = await corvus.pool.query('select count(*) as n, count(distinct space) as spaces from passage_vectors')
  assert.deepEqual(vectors.rows, [{ n, spaces: 1 }])
})

test('what a process leaves when it ends is continued by another one', async () => {
  await use()
  await store('Birds', LONG)
  await passages.follow()
  const ending = new AbortController()
  provider.embeds((text) => {
    if (provider.prompts.length === 2) ending.abort()
    return countedWords(text)
  })
  await passages.keep(ending.signal)
  assert.deepEqual([await state(), (await passages.find('bird')).isSemantic], ['indexing', false])
  // One that was killed could not release its claim.
  await corvus.pool.query(
    `update passage_index set claim = gen_random_uuid(), claimed_until = now() + interval '1 minute'`,
  )
  provider.prompts.length = 0
  await passages.keep()
  assert.deepEqual(provider.prompts, [])
  await corvus.pool.query('update passage_index set claimed_until = now()')
  await passages.keep()
  assert.equal(await state(), 'success')
  const { rows } = await corvus.pool.query('select count(*) as n from passages')
  assert.equal(embedded().length, rows[0].n - 64)
})

test('a query is answered by words when it cannot be embedded', async () => {
  await use()
  await store('Heron', 'Heron reads mail.')
  await passages.make()
  provider.embeds(() => [1, 2, 3])
  assert.deepEqual(
    [await titles('mail'), (await passages.find('mail')).isSemantic],
    [['Heron'], false],
    'vectors of another width',
  )
  provider.embeds(() => [])
  assert.equal((await passages.find('mail')).isSemantic, false, 'an error')
  provider.embeds(countedWords)
  await use({ ...EMBEDDING, monthly_token_budget: 1 })
  assert.equal((await passages.find('mail')).isSemantic, false, 'a budget')
})
