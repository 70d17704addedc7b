import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startApp } from '../../../test/app.ts'
import { effort, isThorough } from '../../../test/effort.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { until } from '../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let url: string
let entity: string
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  url = `${await corvus.app.listen({ host: '127.0.0.1', port: 0 })}/api/v2/ai/quick-summary`
  const { body } = await corvus.call('POST', 'entities', { data: { data: { type: 'report', title: 'Crows' } } })
  entity = body.data.id
  await useProvider(corvus, provider, ['ai_intel_summary'], { max_tlp: 'RED' })
})
afterEach(() => corvus.pool.query('delete from ai_requests'))
after(async () => {
  await provider.stop()
  // A client that aborts opens its next connection at once, and sends nothing over it.
  corvus.app.server.closeAllConnections()
  await corvus.stop()
})

const ask = (accept: string, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${corvus.admin}`, accept, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { entity } }),
    ...(signal && { signal }),
  })

const outcomes = async (): Promise<string[]> =>
  (await corvus.pool.query('select outcome from ai_requests order by id')).rows.map(({ outcome }) => outcome)

const token = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** A model that says something, and then nothing more; resolves when it was left. */
function restingModel(said: string): Promise<void> {
  return new Promise((resolve) => {
    provider.plays(() => (response: ServerResponse) => {
      response.on('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      if (said !== '') response.write(token(said))
    })
  })
}

for (const [name, accept, said] of [
  ['JSON', 'application/json', ''],
  ['JSON, in the middle of the answer', 'application/json', 'Crows'],
  ['a stream that has not begun', 'text/event-stream', ''],
  ['a stream', 'text/event-stream', 'Crows'],
] as const)
  test(`a client that leaves takes its request to the provider along: ${name}`, async () => {
    const left = restingModel(said)
    const client = new AbortController()
    const before = provider.prompts.length
    const answer = ask(accept, client.signal)
    answer.catch(() => {})
    await until(() => provider.prompts.length > before, 'the provider is not asked')
    if (accept === 'text/event-stream' && said !== '') {
      const reader = (await answer).body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      await until(async () => {
        text += (await reader?.read())?.value ?? ''
        return text.includes(said)
      }, 'the client gets no token')
    }
    client.abort()
    await left
    await until(async () => (await outcomes()).join() === 'aborted', 'the request is not settled')
  })

test('a stream begins while the model is still silent, and then tells what failed', { skip: !isThorough }, async () => {
  const begun = Promise.withResolvers<void>()
  provider.plays(() => async (response) => {
    await begun.promise
    response.writeHead(401).end()
  })
  const answer = await ask('text/event-stream')
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  begun.resolve()
  assert.match(
    await answer.text(),
    /^event: start\ndata: .*\n\n(?:: .*\n\n)*event: error\ndata: \{"status":424,.*\n\n$/,
  )
})

const collect: () => void = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
})()

test('streams that are cut leave nothing behind', async () => {
  const [warmUp, cuts] = [30, effort(1000, 100)]
  // Half of them are cut by the provider, the others by the client.
  const long = token('caw '.repeat(16 * 1024)).repeat(4)
  provider.plays(() => (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(long, () => isCutByProvider && response.destroy())
  })
  let isCutByProvider = true
  const cut = async (index: number) => {
    isCutByProvider = index % 2 === 0
    provider.prompts.length = 0
    const client = new AbortController()
    const answer = await ask('text/event-stream', client.signal)
    if (isCutByProvider) assert.match(await answer.text(), /event: error\ndata: .*broke off/)
    else {
      await answer.body?.getReader().read()
      client.abort()
    }
  }
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  for (let index = 0; index < warmUp; index++) await cut(index)
  const before = used()
  for (let index = 0; index < cuts; index++) await cut(index)
  await until(async () => !(await outcomes()).includes('running'), 'a request is not settled')
  await until(async () => (await provider.connections()) === 0, 'a connection to the provider stays open')
  const grown = used() - before
  // Each cut has 256 KB of tokens. Buffers outside of the heap are kept for a while.
  assert.ok(grown < cuts * 8 * 1024 + 14 * 2 ** 20, `grown by ${grown} bytes in ${cuts} cuts`)
})
