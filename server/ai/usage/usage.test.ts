import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

const LIKE = 'ai-provider-openai-like'
const MONTH = new Date().toISOString().slice(0, 7)

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let reader: string
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  reader = await corvus.tokenFor(['read configurations', 'read entities'])
  await useProvider(corvus, provider, ['ai_intel_summary'], { monthly_token_budget: 10_000, answer_price: 100 })
  const meta = { tlp_color: 'GREEN' }
  const { body } = await corvus.call('POST', 'entities', { data: { data: { type: 'report', title: 'Crows' }, meta } })
  const summarise = (token: string) =>
    corvus.call('POST', 'ai/quick-summary', { data: { entity: body.data.id, refresh: true } }, token)
  assert.equal((await summarise(corvus.admin)).status, 200)
  assert.equal((await summarise(reader)).status, 200)
  provider.plays(() => (response) => response.writeHead(401).end())
  assert.equal((await summarise(reader)).status, 424)
  await corvus.pool.query(`
    insert into ai_requests (created_at, feature, provider, model, prompt_tokens, answer_tokens, cost, outcome, prompt_hash)
    select at::timestamptz, 'ai_assistant', 'ai-provider-openai', 'old', 100, 10, 2.5, outcome, ''
    from (values ('2026-01-31 23:59:59Z', 'success'), ('2026-02-01 00:00:00Z', 'success'), ('2026-02-28Z', 'running'))
      as i(at, outcome)`)
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

const read = async (path: string, token = corvus.admin) => {
  const { status, body } = await corvus.call('GET', path, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
const idOf = async (token: string) => (await corvus.call('GET', 'users/self', undefined, token)).body.data

test('usage is counted per month, user, feature, provider and model', async () => {
  const [admin, other] = [await idOf(corvus.admin), await idOf(reader)]
  const common = { month: MONTH, feature: 'ai_intel_summary', provider: LIKE, model: 'scripted' }
  const used = { ...common, prompt_tokens: 11, answer_tokens: 7, cost: 0.0007 }
  const url = (id: number) => `http://corvus.test/api/v2/users/${id}`
  const expected = [
    { ...used, user: url(admin.id), username: admin.username, requests: 1, errors: 0 },
    { ...used, user: url(other.id), username: other.username, requests: 2, errors: 1 },
  ].sort((a, b) => (a.username < b.username ? -1 : 1))
  assert.deepEqual(await read('ai/usage'), expected)
})

test('who may not change the configuration sees the usage of others together', async () => {
  const { id } = await idOf(reader)
  const shown = await read('ai/usage', reader)
  assert.deepEqual(
    shown.map(({ user, username, requests }: Record<string, unknown>) => [user, username === null, requests]),
    [
      [`http://corvus.test/api/v2/users/${id}`, false, 2],
      [null, true, 1],
    ],
  )
})

test('months are those of UTC, and what a lost process reserved is not counted', async () => {
  const shown = await read('ai/usage?from=2026-01&to=2026-02')
  assert.deepEqual(
    shown.map(({ month, requests, prompt_tokens, cost }: Record<string, unknown>) => [
      month,
      requests,
      prompt_tokens,
      cost,
    ]),
    [
      ['2026-02', 1, 100, 2.5],
      ['2026-01', 1, 100, 2.5],
    ],
  )
  assert.equal((await read('ai/usage?to=2026-01')).length, 1)
  for (const [path, detail] of [
    ['ai/usage?from=2026-13', 'from: must be a month such as 2026-11'],
    ['ai/usage?from=2026-02&to=2026-01', 'from: must not be after to'],
  ] as const) {
    const { status, body } = await corvus.call('GET', path)
    assert.deepEqual([status, body[0].detail], [400, detail])
  }
})

test('everyone sees their own usage and what is left', async () => {
  const used = { provider: LIKE, requests: 2, errors: 1, prompt_tokens: 11, answer_tokens: 7, cost: 0.0007 }
  const budget = { budget: 10_000, remaining: 10_000 - 18 }
  assert.deepEqual(await read('ai/usage/self', reader), { month: MONTH, providers: [{ ...used, ...budget }] })
  const newcomer = await read('ai/usage/self', await corvus.tokenFor([]))
  assert.partialDeepStrictEqual(newcomer.providers, [{ requests: 0, budget: 10_000, remaining: 10_000 }])
})
