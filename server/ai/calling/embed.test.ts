import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { json, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { openOutbound } from '../../ports/outbound.ts'
import type { ProviderName } from '../providers.ts'
import { embed } from './embed.ts'
import { openModelPorts } from './model-ports.ts'

const ports = openModelPorts(openOutbound([]), [])
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  provider = await startScriptedProvider()
})
after(async () => {
  await ports.close()
  await ports.usual.close()
  await provider.stop()
})

const vectorsOf = (name: ProviderName, texts = ['a crow', 'two crows']) => {
  const reach = { port: ports.local, caPath: null, isVerified: true, proxy: null, isLocked: false, secrets: ['k-1'] }
  const endpoint = { provider: name, url: `${provider.url}/v1`, authorization: 'Bearer k-1', ...reach }
  return embed(endpoint, 'embed-scripted', texts, new AbortController().signal)
}
const responds = (document: unknown, status = 200) =>
  provider.plays(() => (response) => json(response, document, status))

test('vectors come in the order of the texts, from every kind of provider', async () => {
  provider.plays()
  const expected = await vectorsOf('ai-provider-openai-like')
  assert.deepEqual(
    expected.map(({ length }) => length),
    [64, 64],
  )
  assert.notDeepEqual(expected[0], expected[1])
  for (const name of ['ai-provider-openai', 'ai-provider-perplexity', 'ai-provider-ollama'] as const)
    assert.deepEqual(await vectorsOf(name), expected, name)
  assert.deepEqual(
    provider.prompts.map(({ path }) => path),
    ['/v1/embeddings', '/v1/embeddings', '/v1/embeddings', '/v1/api/embed'],
  )
  responds({
    data: [
      { index: 1, embedding: [3, 4] },
      { index: 0, embedding: [1, 2] },
    ],
  })
  assert.deepEqual(await vectorsOf('ai-provider-openai-like'), [
    [1, 2],
    [3, 4],
  ])
  const bytes = (...numbers: number[]) => Buffer.from(Int8Array.from(numbers).buffer).toString('base64')
  responds({
    data: [
      { index: 0, embedding: bytes(1, -2) },
      { index: 1, embedding: bytes(-128, 127) },
    ],
  })
  assert.deepEqual(await vectorsOf('ai-provider-perplexity'), [
    [1, -2],
    [-128, 127],
  ])
})

test('no vector is better than a wrong one', async () => {
  const none = /^The provider did not respond with a vector for each text\.$/
  const openai = (...vectors: unknown[]) => ({ data: vectors.map((embedding, index) => ({ index, embedding })) })
  for (const document of [
    openai([1, 2], [1, 2, 3]),
    openai([1, 2]),
    openai([], []),
    openai([1, null], [1, 2]),
    openai('', ''),
    { data: 'none' },
    {},
    null,
  ]) {
    responds(document)
    await assert.rejects(vectorsOf('ai-provider-openai-like'), { message: none }, JSON.stringify(document))
  }
  responds({ embeddings: [[1, 2], [1]] })
  await assert.rejects(vectorsOf('ai-provider-ollama'), { message: none })
  provider.plays(() => (response) => response.end('{"data": [{"embedding": [NaN, 1]}, {"embedding": [1, 1e999]}]}'))
  await assert.rejects(vectorsOf('ai-provider-openai-like'), { message: /did not respond with JSON/ })
  provider.plays(
    () => (response) => response.end('{"data": [{"embedding": [1, 1e999]}, {"index": 1, "embedding": [1, 1]}]}'),
  )
  await assert.rejects(vectorsOf('ai-provider-openai-like'), { message: none })
  responds({ error: { message: 'key k-1' } }, 401)
  await assert.rejects(vectorsOf('ai-provider-openai-like'), { kind: 'key', message: /401: it rejected the key\.$/ })
})

test('a failure that can pass is tried again', async () => {
  let count = 0
  provider.plays(() => (count++ === 0 ? (response) => response.writeHead(503).end() : undefined))
  assert.equal((await vectorsOf('ai-provider-ollama')).length, 2)
  assert.equal(count, 2)
})
