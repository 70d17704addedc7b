import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { z } from 'zod'
import { startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { useProvider as setUpProvider } from '../../../test/set-up/ai.ts'
import { picky } from '../../../test/set-up/provider-faults.ts'
import { json, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import type { Context } from '../../engine/context.ts'
import { openOutbound } from '../../ports/outbound.ts'
import { type ModelPorts, openModelPorts } from '../calling/model-ports.ts'
import type { Message } from '../calling/question.ts'
import type { ProviderName } from '../providers.ts'
import { type Assistant, assistantOf } from './assistant.ts'
import { readyFor } from './ready.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let ports: ModelPorts
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  ports = openModelPorts(openOutbound([]), [])
})
beforeEach(() => {
  provider.prompts.length = 0
  provider.plays()
})
after(async () => {
  await ports.close()
  await provider.stop()
  await corvus.stop()
})

/** The assistant of a feature, for the first administrator. */
async function assistantWith(type: ProviderName, more: Record<string, unknown> = {}): Promise<Assistant> {
  await setUpProvider(corvus, provider, ['ai_entity_extraction'], { type, ...more })
  const { rows } = await corvus.pool.query('select min(id) as id from users')
  const ctx: Context = {
    ...(await serverOf(corvus)),
    modelPorts: ports,
    caller: { id: rows[0].id, permissions: new Set() },
    baseUrl: 'http://corvus.test',
  }
  return assistantOf(ctx, await readyFor(ctx, 'ai_entity_extraction'), new AbortController().signal)
}

const birds = z.object({
  birds: z.array(
    z.object({ name: z.string().min(1), pattern: z.string().nullable(), kind: z.enum(['crow', 'other']) }),
  ),
})
const GOOD = JSON.stringify({ birds: [{ name: 'Odin', pattern: null, kind: 'crow' }] })
const messages: Message[] = [
  { role: 'system', content: 'You name birds.' },
  { role: 'user', content: 'The first text.' },
  { role: 'user', content: 'The second text.' },
]
const ask = (assistant: Assistant) => assistant.data({ messages, maxTokens: 100 }, 'birds', birds)
const named = { birds: [{ name: 'Odin', pattern: null, kind: 'crow' }] }

for (const type of ['ai-provider-openai-like', 'ai-provider-ollama'] as const) {
  test(`${type}: data is found in what models write around it`, async () => {
    const assistant = await assistantWith(type)
    for (const said of [
      GOOD,
      `\`\`\`json\n${GOOD}\n\`\`\``,
      `Here [as you asked] it is:\n\n${GOOD}\n\nAnything else?`,
      `<think>{"birds": 7}</think>${GOOD}`,
      `Thoughts without a beginning: {"birds": 7}</think>\n${GOOD}`,
    ]) {
      provider.says(() => said)
      assert.deepEqual(await ask(assistant), named, said)
    }
    assert.equal(provider.prompts.length, 5, 'nothing had to be repaired')
  })

  test(`${type}: the schema is sent in a form that strict providers accept, and in words`, async () => {
    provider.says(() => GOOD)
    await ask(await assistantWith(type))
    const item = { type: 'object', required: ['name', 'pattern', 'kind'], additionalProperties: false }
    const properties = {
      name: { type: 'string' },
      pattern: { type: ['string', 'null'] },
      kind: { type: 'string', enum: ['crow', 'other'] },
    }
    assert.deepEqual(provider.prompts[0]?.schema, {
      type: 'object',
      properties: { birds: { type: 'array', items: { ...item, properties } } },
      required: ['birds'],
      additionalProperties: false,
    })
    const roles = provider.prompts[0]?.messages.map(({ role }) => role)
    assert.deepEqual(roles, ['system', 'system', 'user', 'user'])
    assert.match(provider.prompts[0]?.messages[1]?.content ?? '', /JSON Schema: \{"type":"object"/)
  })

  test(`${type}: a wrong answer is repaired once, and then an error`, async () => {
    const assistant = await assistantWith(type)
    const wrong = JSON.stringify({ birds: [{ name: '', pattern: null, kind: 'owl' }] })
    provider.says(() => (provider.prompts.length === 1 ? wrong : GOOD))
    assert.deepEqual(await ask(assistant), named)
    const [, second] = provider.prompts
    assert.deepEqual(second?.messages.at(-2), { role: 'assistant', content: wrong })
    assert.match(second?.messages.at(-1)?.content ?? '', /birds\.0\.name: .*birds\.0\.kind: /)
    for (const said of [wrong, 'I do not know.', GOOD.slice(0, -5), '']) {
      provider.prompts.length = 0
      provider.says(() => said)
      await assert.rejects(ask(assistant), { status: 424, message: /does not have the expected form/ }, said)
      assert.equal(provider.prompts.length, 2)
    }
  })

  test(`${type}: a server without schemas is asked for JSON, and then in words`, async () => {
    provider.says(() => GOOD)
    const assistant = await assistantWith(type)
    const formOf = ({ body }: (typeof provider.prompts)[number]) => {
      const { type = undefined } = (body.response_format ?? {}) as { type?: string }
      return type ?? (typeof body.format === 'object' ? 'json_schema' : (body.format ?? 'words'))
    }
    for (const message of ["'response_format.type' is not supported", 'failed to parse grammar', 'Bad Request']) {
      provider.prompts.length = 0
      provider.plays(picky((prompted) => formOf(prompted) !== 'words', message)())
      assert.deepEqual(await ask(assistant), named)
      const asked = provider.prompts.map(formOf)
      assert.deepEqual(asked, ['json_schema', type === 'ai-provider-ollama' ? 'json' : 'json_object', 'words'])
    }
  })

  test(`${type}: a server that allows only turns gets turns, and that is what was sent`, async () => {
    provider.says(() => GOOD)
    const assistant = await assistantWith(type)
    const hasNeighbours = ({ messages }: (typeof provider.prompts)[number]) =>
      messages.some(({ role }, index) => role === messages[index - 1]?.role)
    const message = 'Conversation roles must alternate user/assistant/user/assistant/...'
    provider.plays(picky(hasNeighbours, message, 500)())
    await ask(assistant)
    assert.equal(provider.prompts.length, 2)
    assert.deepEqual(
      provider.prompts[1]?.messages.map(({ role }) => role),
      ['system', 'user'],
    )
    assert.equal(provider.prompts[1]?.messages[1]?.content, 'The first text.\n\nThe second text.')
    assert.deepEqual(assistant.sent[0]?.messages, provider.prompts[1]?.messages)
  })
}

test('Perplexity is asked where its chat is, in turns, and its sources are kept', async () => {
  const assistant = await assistantWith('ai-provider-perplexity', { base_url: `${provider.url}/v1` })
  const { body } = await corvus.call('GET', 'configurations/ai')
  const record = body.data.find(({ type }: { type: string }) => type === 'ai-provider-perplexity')
  assert.deepEqual(
    record.models.map(({ id }: { id: string }) => id),
    [
      'scripted',
      'sonar',
      'sonar-deep-research',
      'sonar-pro',
      'sonar-reasoning',
      'sonar-reasoning-pro',
      'text-embedding-scripted',
    ],
  )
  const page = { url: 'https://crows.example/', title: 'Crows', date: '2026-01-02', snippet: 'They fly.' }
  provider.plays(
    () => (response) =>
      json(response, {
        choices: [{ message: { content: 'They fly.' }, finish_reason: 'stop' }],
        citations: [page.url],
        search_results: [page, { url: 'https://birds.example/' }],
      }),
  )
  provider.paths.length = 0
  const answer = assistant.prose({ messages, maxTokens: 100 })
  let step = await answer.next()
  while (!step.done) step = await answer.next()
  assert.deepEqual(provider.paths, ['/chat/completions'])
  assert.deepEqual(step.value.sources, [
    { url: page.url, title: 'Crows', date: '2026-01-02' },
    { url: 'https://birds.example/', title: '', date: null },
  ])
  assert.deepEqual(
    provider.prompts[0]?.messages.map(({ role }) => role),
    ['system', 'user'],
  )
  assert.equal(provider.prompts[0]?.body.disable_search, true, 'only web enrichment searches the web')
  assert.ok(!('stream_options' in (provider.prompts[0]?.body ?? {})))
})

test('OpenAI gets its own name of the limit and no temperature, Ollama a context that holds the prompt', async () => {
  provider.says(() => GOOD)
  await ask(await assistantWith('ai-provider-openai'))
  const openai = provider.prompts[0]?.body ?? {}
  assert.deepEqual([openai.max_completion_tokens, openai.max_tokens, openai.temperature], [4100, undefined, undefined])
  const assistant = await assistantWith('ai-provider-ollama')
  for (const [text, context] of [
    ['A crow.', 8_192],
    ['鸦'.repeat(20_000), 65_536],
  ] as const) {
    provider.prompts.length = 0
    await assistant.data({ messages: [{ role: 'user', content: text }], maxTokens: 100 }, 'birds', birds)
    const { options = {}, truncate } = provider.prompts[0]?.body ?? {}
    assert.deepEqual([(options as { num_ctx?: number }).num_ctx, truncate], [context, false])
  }
})

test('an answer of Ollama to a prompt that was cut to half of the context of its model is refused', async () => {
  const assistant = await assistantWith('ai-provider-ollama')
  const end = { message: { content: GOOD }, done: true, done_reason: 'stop', eval_count: 9 }
  const long = [{ role: 'user' as const, content: 'A crow flies. '.repeat(1000) }]
  const askLong = () => assistant.data({ messages: long, maxTokens: 100 }, 'birds', birds)
  provider.plays(() => (response) => json(response, { ...end, prompt_eval_count: 1026 }))
  await assert.rejects(askLong(), { status: 424, message: /too long for the context/ })
  provider.plays(() => (response) => json(response, { ...end, prompt_eval_count: 3400 }))
  assert.deepEqual(await askLong(), named)
})
