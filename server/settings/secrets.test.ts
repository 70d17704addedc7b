import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../test/app.ts'
import { json, startProvider } from '../../test/provider.ts'
import { providers } from '../ai/providers.ts'
import { makePrivateKey } from '../domain/openpgp.ts'
import { settings } from '../registry.ts'
import { privateKey } from './private-key.ts'

const lines: string[] = []
let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startProvider>>
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  corvus = await startApp(undefined, { log, environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  provider = await startProvider(json({ error: 'no' }, 401))
})
after(async () => {
  await corvus.stop()
  await provider.stop()
})

const ownKey = await makePrivateKey('Team', 'team@example.org', null)

/** Every secret field of every record, with the other fields its record needs and where it is stored. */
const fields = [
  ...settings.map((setting) => ({ setting, path: `configurations/${setting.name}` })),
  ...providers.map(({ setting }) => ({ setting, path: 'configurations/ai' })),
].flatMap(({ setting, path }) =>
  (setting.secrets ?? []).map((field) => {
    const secret = setting === privateKey ? ownKey.key : `secret-${setting.name}-${Math.random().toString(36).slice(2)}`
    const needed = { type: setting.name, from_email: 'a@example.org', reply_to: 'a@example.org' }
    return { setting, path, field: field as string, secret, needed }
  }),
)

test('these are all secrets of the records', () => {
  assert.deepEqual(
    fields.map(({ setting, field }) => `${setting.name}.${field}`),
    [
      'email.password',
      'private-key.key',
      'ai-provider-openai-like.api_key',
      'ai-provider-ollama.api_key',
      'ai-provider-openai.api_key',
      'ai-provider-perplexity.api_key',
    ],
  )
})

test('a secret appears in no response, in no stored row in plain text, and in no log line', async () => {
  const answers: unknown[] = []
  const call = async (...parts: Parameters<typeof corvus.call>) => answers.push((await corvus.call(...parts)).body)
  for (const { path, field, secret, needed } of fields) {
    const record = { ...needed, base_url: provider.url, [field]: secret }
    const { status, body } = await corvus.call('PUT', path, { data: record })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data[field], '<PASS_THROUGH_TOKEN>')
    answers.push(body)
    for (const wrong of [[secret], { value: secret }, `${secret}\u0000`, `${secret}${'x'.repeat(100_000)}`]) {
      const refused = await corvus.call('PUT', path, { data: { ...record, [field]: wrong } })
      assert.equal(refused.status, 400, `${path} ${field} ${JSON.stringify(wrong).slice(0, 80)}`)
      answers.push(refused.body)
    }
    await call('PUT', path, { data: { ...record, base_url: secret, host: 7 } })
    if (path !== 'configurations/ai') await call('PATCH', path, { data: { port: 25 } })
    await call('GET', path)
  }
  const { rows } = await corvus.pool.query(`
    select to_jsonb(s)::text as row from settings as s union all select to_jsonb(c)::text from changes as c`)
  assert.ok(rows.length > fields.length && lines.length > fields.length)
  for (const { secret, setting } of fields) {
    // For a multi-line secret, a line that occurs nowhere else.
    const line = secret.split('\n')[3] ?? secret
    const isIn = (texts: string[]) => texts.filter((text) => text.includes(line))
    assert.deepEqual(isIn(answers.map((answer) => JSON.stringify(answer))), [], setting.name)
    assert.deepEqual(isIn(rows.map(({ row }) => row)), [], setting.name)
    assert.deepEqual(isIn(lines), [], setting.name)
  }
})

test('keys are sent to their own provider only', () => {
  const told = provider.asked.map(({ headers }) => headers.authorization)
  const keys = fields.filter(({ field }) => field === 'api_key').map(({ secret }) => `Bearer ${secret}`)
  assert.deepEqual([...new Set(told)], keys)
})
