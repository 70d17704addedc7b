import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { sayAsOpenai, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { until } from '../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let entity: string
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  const { body } = await corvus.call('POST', 'entities', {
    data: { data: { type: 'report', title: 'Crows at night', description: 'They fly.' }, meta: { tlp_color: 'GREEN' } },
  })
  entity = body.data.id
})
beforeEach(async () => {
  provider.prompts.length = 0
  await corvus.pool.query('delete from settings')
  await corvus.pool.query('delete from ai_requests')
  await corvus.pool.query('delete from ai_summaries')
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

const summarise = (more = {}, token = corvus.admin) =>
  corvus.call('POST', 'ai/quick-summary', { data: { entity, ...more } }, token)

test('nothing is sent without consent, a feature, an enabled provider and permissions', async () => {
  const refused = async (reason: RegExp) => {
    const { status, body } = await summarise()
    assert.equal(status, 409, JSON.stringify(body))
    assert.match(body[0].detail, reason)
  }
  await refused(/not allowed/)
  await useProvider(corvus, provider, [])
  await refused(/is off/)
  await useProvider(corvus, provider, ['ai_intel_summary'], { enabled: false })
  await refused(/is disabled/)
  await useProvider(corvus, provider, ['ai_intel_summary'])
  await corvus.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: false } })
  await refused(/not allowed/)
  const { status, body } = await summarise({}, await corvus.tokenFor(['read entities']))
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [read configurations]'])
  assert.deepEqual(provider.prompts, [])
})

for (const type of ['ai-provider-openai-like', 'ai-provider-ollama', 'ai-provider-openai'] as const)
  test(`${type}: the answer, what was sent and what it cost`, async () => {
    await useProvider(corvus, provider, ['ai_intel_summary'], { type, prompt_price: 2, answer_price: 10 })
    provider.says(() => 'Crows fly at night.')
    const { status, body } = await summarise({ include_prompt: true })
    assert.equal(status, 200, JSON.stringify(body))
    const { summary, tlp_color, generated_by, sent } = body.data
    assert.deepEqual([summary, tlp_color], ['Crows fly at night.', 'GREEN'])
    assert.partialDeepStrictEqual(generated_by, {
      feature: 'ai_intel_summary',
      provider: type,
      model: 'scripted',
      inputs: [entity],
    })
    assert.deepEqual(sent[0].messages, provider.prompts[0]?.messages)
    assert.deepEqual([sent[0].prompt_tokens, sent[0].answer_tokens], [11, 7])
    assert.equal(provider.prompts[0]?.authorization, 'Bearer key-of-tests')
    const { rows } = await corvus.pool.query(
      'select outcome, prompt_tokens, answer_tokens, cost, entities from ai_requests',
    )
    assert.deepEqual(rows, [
      { outcome: 'success', prompt_tokens: 11, answer_tokens: 7, cost: '0.000092', entities: [entity] },
    ])
  })

test('a stream has the tokens and then the same result', async () => {
  await useProvider(corvus, provider, ['ai_intel_summary'])
  provider.says(() => '<think>Hm, crows.</think>\n\nCrows fly at night.')
  const answer = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/ai/quick-summary',
    headers: { authorization: `Bearer ${corvus.admin}`, accept: 'text/event-stream' },
    payload: { data: { entity } },
  })
  assert.match(String(answer.headers['content-type']), /^text\/event-stream/)
  const events = answer.body
    .trim()
    .split('\n\n')
    .map((frame) => {
      const [event, data] = frame.split('\n')
      return { event: event?.slice('event: '.length), data: JSON.parse(data?.slice('data: '.length) ?? '') }
    })
  const said = events.filter(({ event }) => event === 'token').map(({ data }) => data.text)
  assert.deepEqual([events[0]?.event, said.join(''), events.at(-1)?.event], ['start', 'Crows fly at night.', 'done'])
  assert.equal(events.at(-1)?.data.data.summary, 'Crows fly at night.')
})

test('what is too restricted for the provider is named and not sent', async () => {
  await useProvider(corvus, provider, ['ai_intel_summary'], { max_tlp: 'WHITE' })
  const { status, body } = await summarise()
  assert.equal(status, 409, JSON.stringify(body))
  assert.match(body[0].detail, /at most TLP:WHITE\. Too restricted: 'Crows at night' \(TLP:GREEN\)/)
  assert.deepEqual(provider.prompts, [])
})

test('a budget ends requests before they are sent, also when many come at once', async () => {
  await useProvider(corvus, provider, ['ai_intel_summary'], { monthly_token_budget: 10_000 })
  const release = Promise.withResolvers<void>()
  provider.plays(() => async (response) => {
    await release.promise
    sayAsOpenai(response, 'Crows fly.')
  })
  let refused = 0
  const answers = Array.from({ length: 12 }, async () => {
    const { status } = await summarise({ refresh: true })
    if (status === 429) refused++
    return status
  })
  // What each may use at most is reserved, and two fit.
  await until(() => refused === 10, 'more than two requests are under way')
  assert.equal(provider.prompts.length, 2)
  release.resolve()
  assert.deepEqual(
    (await Promise.all(answers)).filter((status) => status !== 429),
    [200, 200],
  )
  provider.plays()
  assert.equal((await summarise({ refresh: true })).status, 200, 'what was reserved is free again')
})
