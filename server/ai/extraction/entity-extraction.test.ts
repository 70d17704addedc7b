import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { invented, type SaidEntity } from '../../../test/set-up/hostile-model.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
})
beforeEach(async () => {
  provider.prompts.length = 0
  await useProvider(corvus, provider, ['ai_entity_extraction'])
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

const extract = (text: unknown, more = {}, token = corvus.admin) =>
  corvus.call('POST', 'ai/entity-extraction', { data: { text, ...more } }, token)

const answers = (entities: readonly Partial<SaidEntity>[], observables: readonly object[] = []) =>
  provider.says(() => JSON.stringify({ entities: entities.map(invented), observables }))

const TEXT = {
  title: 'Cranes at banks',
  description:
    'In March, “Silent  Crane” (also: Mute Crane) sent mails\r\nwith GullLoader (T1566.001). It called https://evil[.]example/gate and encrypted data for impact.',
}

async function make(type: string, title: string, more = {}) {
  const { status, body } = await corvus.call('POST', 'entities', { data: { data: { type, title, ...more } } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

test('entities come with their proof, their match, techniques and observables', async () => {
  const known = await make('threat-actor', 'Muted Bird', { aliases: ['mute crane'] })
  await make('report', 'GullLoader')
  answers(
    [
      {
        title: 'silent crane',
        aliases: ['Mute Crane', 'Loud Crane'],
        quote: '"silent crane" (also: mute crane) sent mails with gullloader',
        // The text has the word "impact", but not where it tells about the actor.
        attacks: ['T1566.001', 'TA0040'],
      },
      {
        type: 'Malware',
        title: 'GullLoader',
        quote: 'sent mails with GullLoader',
        confidence: 'MEDIUM',
        observables: [1, 9],
      },
      {
        type: 'ttp',
        title: 'encrypted data for impact',
        quote: 'encrypted data for impact',
        attacks: ['T1059', 'TA0011', 'TA0040'],
      },
    ],
    [{ number: 1, label: 'malicious', use: 'command-and-control' }],
  )
  const { status, body } = await extract(TEXT, { include_prompt: true })
  assert.equal(status, 200, JSON.stringify(body))
  const { entities, observables, dropped, generated_by, sent } = body.data
  const [crane, loader, ttp] = entities
  const { start, end } = crane.offsets
  assert.equal(crane.offsets.field, 'description')
  assert.equal(TEXT.description.slice(start, end), 'Silent  Crane” (also: Mute Crane) sent mails\r\nwith GullLoader')
  assert.deepEqual(
    [crane.title, crane.aliases, crane.existing, crane.confidence],
    ['Silent Crane', ['Mute Crane'], known, 'high'],
  )
  const [technique, ...others] = crane.attacks
  assert.deepEqual([technique.technique, technique.name, others], ['T1566.001', 'Spearphishing Attachment', []])
  assert.match(technique.attacks[0], /\/api\/v2\/attacks\/TA0001(?::|%3A)T1566\.001$/)
  const url = { type: 'uri', value: 'https://evil.example/gate' }
  assert.deepEqual(
    [loader.title, loader.type, loader.existing, loader.confidence, loader.observables],
    ['GullLoader', 'malware', null, 'medium', [url]],
  )
  assert.equal(ttp.title, 'encrypted data for impact')
  assert.deepEqual(
    ttp.attacks.map(({ technique, name }: { technique: string; name: string }) => `${technique} ${name}`),
    ['TA0040 Impact'],
  )
  const [first] = observables
  assert.deepEqual([first.value, first.label, first.use], [url.value, 'malicious', 'command-and-control'])
  assert.equal(TEXT.description.slice(first.offsets.start, first.offsets.end), 'https://evil[.]example/gate')
  assert.deepEqual(dropped, {
    count: 4,
    reasons: [
      { reason: 'attack node not supported by text', count: 3 },
      { reason: 'unknown observable', count: 1 },
    ],
  })
  assert.deepEqual([generated_by.feature, sent.length], ['ai_entity_extraction', 1])
})

test('a technique is supported by its name', async () => {
  answers([
    {
      type: 'ttp',
      title: 'Spearphishing Link',
      quote: 'Spearphishing Link was used',
      attacks: ['spearphishing link', 'T1566.002 Spearphishing Link'],
    },
  ])
  const { body } = await extract({ description: 'Spearphishing Link was used.' })
  assert.deepEqual(
    body.data.entities[0].attacks.map(({ technique }: { technique: string }) => technique),
    ['T1566.002'],
  )
})

test('a long text is asked about in pieces, with progress, and nothing is cut', async () => {
  const filler = 'Nothing else happened on that day, and the weather was fine. '.repeat(200)
  const description = `Silent Crane came first. ${filler}Later Silent Crane used GullLoader.${filler}At last came 203.0.113.7 and Brown Owl.`
  provider.says(({ text }) =>
    JSON.stringify({
      entities: ['Silent Crane', 'GullLoader', 'Brown Owl']
        .filter((title) => text.includes(title))
        .map((title) => invented({ title, quote: title })),
      observables: text.includes('1. ipv4 203.0.113.7') ? [{ number: 1, label: 'benign', use: 'scanning' }] : [],
    }),
  )
  const answer = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/ai/entity-extraction',
    headers: { authorization: `Bearer ${corvus.admin}`, accept: 'text/event-stream' },
    payload: { data: { text: { title: 'A long report', description } } },
  })
  const events = answer.body
    .trim()
    .split('\n\n')
    .map((frame) => frame.split('\n').map((line) => line.slice(line.indexOf(': ') + 2)))
  const [name, data = ''] = events.at(-1) ?? []
  assert.equal(name, 'done', answer.body.slice(-500))
  const progress = events.filter(([event]) => event === 'progress').map(([, json = '']) => JSON.parse(json))
  assert.equal(progress.length, provider.prompts.length + 1)
  assert.ok(progress.length > 3)
  assert.deepEqual(progress.at(-1), { done: progress.length - 1, total: progress.length - 1 })
  const { entities, observables, dropped } = JSON.parse(data).data
  const places = entities.map(
    ({ title, offsets: { start, end } }: { title: string; offsets: { start: number; end: number } }) => [
      title,
      description.slice(start, end),
    ],
  )
  assert.deepEqual(places, [
    ['Silent Crane', 'Silent Crane'],
    ['GullLoader', 'GullLoader'],
    ['Brown Owl', 'Brown Owl'],
  ])
  assert.deepEqual([observables[0].label, observables[0].use, dropped.count], ['benign', 'scanning', 0])
  const sent = provider.prompts.map(({ text }) => text.replaceAll(/\n~\w+~ /g, ' ')).join(' ')
  assert.equal(sent.split('Nothing else happened').length, 401)
})

test('a text with the colour of its entity goes only to a provider that may receive it', async () => {
  const { body: made } = await corvus.call('POST', 'entities', {
    data: { data: { type: 'report', title: 'Amber birds' }, meta: { tlp_color: 'AMBER' } },
  })
  answers([])
  const refused = await extract(TEXT, { entity_id: made.data.id })
  assert.equal(refused.status, 409, JSON.stringify(refused.body))
  assert.match(refused.body[0].detail, /Too restricted: 'Amber birds' \(TLP:AMBER\)/)
  assert.equal(provider.prompts.length, 0)
  await useProvider(corvus, provider, ['ai_entity_extraction'], { max_tlp: 'AMBER' })
  const allowed = await extract(TEXT, { entity_id: made.data.id })
  assert.deepEqual([allowed.status, allowed.body.data?.tlp_color], [200, 'AMBER'])
})

test('bodies of another form are refused with the name of the field, and permissions are required', async () => {
  const refused = async (text: unknown, reason: RegExp, more = {}) => {
    const { status, body } = await extract(text, more)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body[0].detail, reason)
  }
  await refused('text', /data\.text/)
  await refused({ title: 1 }, /data\.text\.title/)
  await refused({}, /data\.text.*must contain text/)
  await refused({ description: 'x'.repeat(300_001) }, /data\.text.*at most 300000 characters/)
  await refused(TEXT, /data\.provider/, { provider: 'ai-provider-other' })
  await refused(TEXT, /data\.entity_id/, { entity_id: '0198c0de-0000-7000-8000-000000000001' })
  const permissions = ['read configurations', 'read entities', 'read extracts', 'read attack']
  answers([])
  assert.equal((await extract(TEXT, {}, await corvus.tokenFor(permissions))).status, 200)
  for (const left of permissions) {
    const token = await corvus.tokenFor(permissions.filter((each) => each !== left))
    const { status, body } = await extract(TEXT, {}, token)
    assert.equal(status, 403)
    assert.match(body[0].detail, new RegExp(left))
  }
})
