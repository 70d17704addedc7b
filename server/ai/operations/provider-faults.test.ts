import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { ANSWER, type Format, PROVIDER_FAULTS, type ProviderFault } from '../../../test/set-up/provider-faults.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

const KEY = 'key-of-tests'
const lines: string[] = []

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let entity: string
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  corvus = await startApp(undefined, { log })
  provider = await startScriptedProvider(() => ANSWER)
  const data = { type: 'report', title: 'Crows at night', description: 'They fly.' }
  entity = (await corvus.call('POST', 'entities', { data: { data, meta: { tlp_color: 'GREEN' } } })).body.data.id
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

const ask = (accept: string) =>
  corvus.app.inject({
    method: 'POST',
    url: '/api/v2/ai/quick-summary',
    headers: { authorization: `Bearer ${corvus.admin}`, accept },
    payload: { data: { entity, refresh: true, include_prompt: true } },
  })

/** What a client gets, with a JSON response or with events. */
async function answerOf(mode: 'json' | 'stream') {
  const { statusCode, headers, body } = await ask(mode === 'json' ? 'application/json' : 'text/event-stream')
  assert.ok(!body.includes(KEY), body)
  if (!String(headers['content-type']).startsWith('text/event-stream')) {
    const parsed = JSON.parse(body)
    return { status: statusCode, retryAfter: headers['retry-after'], fault: parsed[0], made: parsed.data }
  }
  assert.equal(statusCode, 200)
  const frames = body.trim().split('\n\n')
  const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frames.at(-1) ?? '') ?? []
  const last = JSON.parse(data)
  const said = frames.flatMap((frame) => (frame.startsWith('event: token') ? [JSON.parse(frame.slice(19)).text] : []))
  if (event === 'error') return { status: last.status, retryAfter: undefined, fault: last, made: undefined }
  assert.equal(event, 'done', body)
  assert.equal(said.join('').trim(), last.data.summary)
  return { status: 200, retryAfter: undefined, fault: undefined, made: last.data }
}

async function meet({ play, expected, calls = 1 }: ProviderFault, format: Format, mode: 'json' | 'stream') {
  provider.plays(play())
  provider.prompts.length = 0
  const { status, fault, retryAfter, made } = await answerOf(mode)
  if ('answer' in expected)
    assert.deepEqual(
      [status, made?.summary, made?.is_cut_off],
      [200, expected.answer, expected.isCutOff ?? false],
      JSON.stringify(fault),
    )
  else {
    assert.equal(status, expected.status, JSON.stringify(fault))
    assert.match(fault.detail, expected.detail)
    assert.deepEqual(Object.keys(fault), ['status', 'title', 'detail'])
    if (expected.status === 424) assert.equal(retryAfter, undefined)
  }
  assert.equal(provider.prompts.length, typeof calls === 'number' ? calls : calls[format], 'calls of the provider')
}

const TYPES = { openai: 'ai-provider-openai-like', ollama: 'ai-provider-ollama' } as const

for (const format of ['openai', 'ollama'] as const)
  test(`no fault of a provider becomes an error of ours (${format})`, async (t) => {
    await useProvider(corvus, provider, ['ai_intel_summary'], { type: TYPES[format] })
    for (const fault of PROVIDER_FAULTS.filter(({ only = format }) => only === format)) {
      await t.test(`${fault.name}, JSON`, () => meet(fault, format, 'json'))
      if (!fault.isSlow) await t.test(`${fault.name}, stream`, () => meet(fault, format, 'stream'))
    }
  })

test('a provider that asks to wait is passed on', async () => {
  const wait = PROVIDER_FAULTS.find(({ name }) => name === '429 with a time to wait')
  provider.plays(wait?.play())
  assert.deepEqual(await answerOf('json').then(({ status, retryAfter }) => [status, retryAfter]), [429, '120'])
})

test('every request is settled, and logged without texts; the key is nowhere', async () => {
  const { rows } = await corvus.pool.query('select outcome, count(*)::integer from ai_requests group by 1 order by 1')
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['error', 'success'],
  )
  const noted = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'model request')
  assert.equal(
    noted.length,
    rows.reduce((sum, { count }) => sum + count, 0),
  )
  for (const line of noted) {
    assert.deepEqual(line.entities, [entity])
    assert.deepEqual(Object.keys(line).slice(-11), [
      'request',
      'user',
      'feature',
      'provider',
      'model',
      'outcome',
      'prompt_tokens',
      'answer_tokens',
      'ms',
      'entities',
      'msg',
    ])
  }
  const log = lines.join('')
  for (const secret of [KEY, 'Crows', 'They fly']) assert.ok(!log.includes(secret), secret)
  for (const table of ['ai_requests', 'settings', 'changes', 'audit_trail']) {
    const { rows } = await corvus.pool.query(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} as t`)
    assert.ok(!rows[0].text.includes(KEY), table)
  }
})

test('a model that is asked holds no transaction', async () => {
  const open: unknown[] = []
  provider.plays(() => async (response) => {
    const { rows } = await corvus.pool.query(`
      select query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`)
    open.push(...rows)
    response.writeHead(503).end()
  })
  // One after the other: for a moment, each holds the transaction that reserves its tokens.
  for (const mode of ['json', 'stream'] as const) assert.equal((await answerOf(mode)).status, 424)
  assert.ok(provider.prompts.length > 0)
  assert.deepEqual(open, [])
})
