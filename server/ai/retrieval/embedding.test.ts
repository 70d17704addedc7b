import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { retrieval } from '../../../test/set-up/passages.ts'
import { countedWords, json, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

const EMBEDDING = { selected_embedding_model: 'text-embedding-scripted' }
/** More passages than two batches have. */
const LONG = Array.from({ length: 4500 }, (_, i) => `Sentence ${i} tells about bird ${i * 7919}. `).join('')

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let passages: Awaited<ReturnType<typeof retrieval>>
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  passages = await retrieval(corvus)
})
beforeEach(async () => {
  provider.plays()
  for (const table of ['settings', 'entities', 'passage_spaces', 'passages', 'ai_requests'])
    await corvus.pool.query(`delete from ${table}`)
  await corvus.pool.query('update passage_index set failures = 0, next_attempt_at = now(), last_error = null')
  provider.prompts.length = 0
})
after(async () => {
  await passages.stop()
  await provider.stop()
  await corvus.stop()
})

const use = (more: object = {}) => useProvider(corvus, provider, ['ai_assistant'], { ...EMBEDDING, ...more })
const embedded = (): string[] => provider.prompts.flatMap(({ input }) => input)

async function store(title: string, description: string, tlp_color = 'GREEN'): Promise<void> {
  const data = { data: { type: 'report', title, description }, meta: { tlp_color } }
  const { status, body } = await corvus.call('POST', 'entities', { data })
  assert.equal(status, 201, JSON.stringify(body))
}

/** Does something while the provider makes its answer to the first batch. */
function duringFirstBatch(act: () => Promise<void>): void {
  provider.plays(({ input }) =>
    provider.prompts.length > 1
      ? undefined
      : async (response) => {
          await act()
          json(response, { data: input.map((text, index) => ({ index, embedding: countedWords(text) })) })
        },
  )
}

test('the index is counted under its own name and belongs to no user, whose budgets do not end it', async () => {
  await store('Heron', 'Heron reads mail.')
  await use({ monthly_token_budget: 100, prompt_price: 1_000_000 })
  await passages.make()
  assert.equal((await passages.find('mail')).isSemantic, true)
  await store('Birds', LONG)
  await passages.make()
  assert.ok(embedded().length > 2 * 64)
  const { rows } = await corvus.pool.query(`
    select feature, outcome, (user_id is null) as is_ours, count(*) as requests, sum(cost) > 0 as has_cost,
      sum(cardinality(entities)) as entities
    from ai_requests group by 1, 2, 3 order by 1`)
  const counted = { outcome: 'success', has_cost: true }
  const { requests } = rows[1]
  assert.ok(requests > 2)
  assert.deepEqual(rows, [
    { ...counted, feature: 'ai_assistant', is_ours: false, requests: 1, entities: 0 },
    { ...counted, feature: 'passages', is_ours: true, requests, entities: requests },
  ])
  const { body } = await corvus.call('GET', 'ai/usage')
  assert.deepEqual(
    body.data.map(({ feature, username }: Record<string, string>) => [feature, username !== null]),
    [
      ['ai_assistant', true],
      ['passages', false],
    ],
  )
})

test('what an administrator changes counts for the next batch: the consent', async () => {
  await store('Birds', LONG)
  await use()
  duringFirstBatch(async () => {
    await corvus.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: false } })
  })
  await passages.make()
  assert.equal(provider.prompts.length, 1)
})

test('what an administrator changes counts for the next batch: the most restricted colour', async () => {
  await store('Birds', LONG)
  await store('Nightjar', 'The plan of Nightjar is to flood the valley.', 'RED')
  await use({ max_tlp: 'RED' })
  duringFirstBatch(() => use({ max_tlp: 'GREEN' }))
  await passages.make()
  assert.ok(provider.prompts.length > 2)
  assert.ok(!embedded().join().includes('Nightjar'))
})

test('an entity that became too restricted is not embedded, even before its passages are refreshed', async () => {
  await use({ max_tlp: 'GREEN' })
  await store('Nightjar', 'The plan of Nightjar is to flood the valley.')
  await passages.follow()
  const { rows } = await corvus.pool.query('select id from entities')
  await corvus.call('PATCH', `entities/${rows[0].id}`, { data: { meta: { tlp_color: 'RED' } } })
  await passages.keep()
  assert.deepEqual(embedded(), [])
})

test('a query that quotes a restricted entity is not sent to a provider that may not receive it', async () => {
  await store('Heron', 'Nightjar and Heron read mail.')
  await use({ max_tlp: 'GREEN' })
  await passages.make()
  provider.prompts.length = 0
  const found = await passages.find('Nightjar', undefined, { quotedTlp: 'RED' })
  assert.deepEqual([found.isSemantic, found.passages.length, provider.prompts], [false, 1, []])
  assert.equal((await passages.find('Nightjar', undefined, { quotedTlp: 'GREEN' })).isSemantic, true)
})
