import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { answerLimit } from '../calling/question.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let entity: string
let related: string[]
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  entity = await make({ type: 'report', title: 'Crow report', description: 'They fly.' }, { tags: ['hidden-tag'] })
  related = [
    await make({ type: 'malware', title: 'Older loader' }),
    await make({ type: 'malware', title: 'Newer loader' }),
  ]
  const { body: self } = await corvus.call('GET', 'users/self')
  const { body: group } = await corvus.call('GET', `groups/${self.data.groups[0].split('/').at(-1)}`)
  for (const target of related)
    await corvus.call('POST', 'relationships', {
      data: { data: { source: entity, target, key: 'related-to' }, sources: [group.data.source] },
    })
})
beforeEach(async () => {
  provider.prompts.length = 0
  provider.says(() => JSON.stringify({ title: 'A title', content: 'Text with 203.0.113.5.' }))
  await useProvider(corvus, provider, ['ai_content_generation'], { max_tlp: 'AMBER' })
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

async function make(data: Item, meta: Item = {}): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities', { data: { data, meta } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

let count = 0
async function prompt(more: Item = {}): Promise<number> {
  const { status, body } = await corvus.call('POST', 'content-generation-prompts', {
    data: {
      name: `Prompt ${count++}`,
      description: 'A',
      content_prompt: 'Write for the board.',
      formatting_prompt: 'Two paragraphs.',
      entity_types: ['report'],
      target_language: 'Dutch',
      include_related_entities: false,
      is_enabled: true,
      is_pinned: false,
      limit_content_length: true,
      content_length: 120,
      entity_fields: ['title', 'description'],
      ...more,
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

const generate = (data: Item) => corvus.call('POST', 'ai/content-generation', { data: { entities: [entity], ...data } })

test('a prompt decides about fields, form, language and length', async () => {
  const { status, body } = await generate({
    content_prompt: `https://corvus.test/api/v2/content-generation-prompts/${await prompt()}`,
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.data.title, body.data.content], ['A title', 'Text with 203.0.113.5.'])
  assert.deepEqual(body.data.unverified_values, [{ field: 'content', value: '203.0.113.5', start: 10, end: 21 }])
  const { text = '', body: sent } = provider.prompts[0] ?? {}
  assert.match(
    text,
    /Crow report[\s\S]*They fly[\s\S]*Write for the board\.[\s\S]*Two paragraphs\.[\s\S]*Dutch[\s\S]*120 words/,
  )
  assert.doesNotMatch(text, /hidden-tag|loader/)
  assert.equal(sent?.max_tokens ?? sent?.max_completion_tokens, answerLimit({ maxTokens: 120 * 4 + 200 }))
})

test('related entities are read, the most recently changed ones first', async () => {
  const { body } = await generate({
    content_prompt: await prompt({ include_related_entities: true, max_related_entities: 1 }),
  })
  assert.deepEqual(body.data.generated_by.inputs, [entity, related[1]])
  assert.match(provider.prompts[0]?.text ?? '', /Newer loader/)
  assert.doesNotMatch(provider.prompts[0]?.text ?? '', /Older loader/)
})

test('a prompt that is unknown, disabled or meant for other types is refused', async () => {
  const refused = async (data: Item, reason: RegExp) => {
    const { status, body } = await generate(data)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body[0].detail, reason)
  }
  await refused({}, /^data\.content_prompt: is required$/)
  await refused({ content_prompt: 999 }, /^data\.content_prompt: there is no '999'/)
  await refused({ content_prompt: await prompt({ is_enabled: false }) }, /^data\.content_prompt: .* is disabled/)
  await refused(
    { content_prompt: await prompt({ entity_types: ['malware'] }) },
    /^data\.entities: .* is a report; .* for malware/,
  )
  await refused({ content_prompt: await prompt(), entities: Array(11).fill(entity) }, /^data\.entities: .*at most 10/)
  assert.deepEqual(provider.prompts, [])
})

test('generated content is refined, as a text or as the result that it came in', async () => {
  provider.says(() => 'Shorter, with bad.com.\u200b')
  const refine = (data: Item) => corvus.call('POST', 'ai/content-generation/refine', { data })
  for (const entity_info of ['A long text.', { title: 'A title', content: 'A long text.' }]) {
    const { status, body } = await refine({ entity_info, user_query: 'Shorter.', entities: [entity] })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.refined_content, 'Shorter, with bad.com.')
    assert.deepEqual(body.data.unverified_values, [{ value: 'bad.com', start: 14, end: 21 }])
    assert.deepEqual(body.data.generated_by.inputs, [entity])
    const messages = provider.prompts.at(-1)?.messages ?? []
    assert.match(messages[1]?.content ?? '', /\n~[0-9a-f]{8}~ A long text\.$/)
    assert.equal(messages[2]?.content, 'Change the text like this: Shorter.')
  }
  const { status, body } = await refine({})
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    ['data.entity_info: is required', 'data.user_query: is required'],
  )
})
