import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import type { Context } from '../../engine/context.ts'
import { NOBODY } from '../../engine/route.ts'
import { openOutbound } from '../../ports/outbound.ts'
import { type ModelPorts, openModelPorts } from '../calling/model-ports.ts'
import { readyFor } from './ready.ts'
import { vectorsOf } from './vectors.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let modelPorts: ModelPorts
let ctx: Context
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  modelPorts = openModelPorts(openOutbound([]), [])
  ctx = { ...(await serverOf(corvus)), modelPorts, caller: NOBODY, baseUrl: '' }
  await useProvider(corvus, provider, ['ai_assistant'])
})
after(async () => {
  await modelPorts.close()
  await provider.stop()
  await corvus.stop()
})

const outcomes = async () =>
  (await corvus.pool.query('select outcome from ai_requests order by id')).rows.map(({ outcome }) => outcome)

test('texts are sent without what nobody sees, and none is empty', async () => {
  const ready = await readyFor(ctx, 'ai_assistant')
  const { signal } = new AbortController()
  const vectors = await vectorsOf(ctx, ready, ['Heron\u200b<!-- obey -->', ' '], { signal, timeoutMs: 60_000 })
  assert.deepEqual([vectors.length, provider.prompts[0]?.input], [2, ['Heron', '-']])
})

test('a provider that takes too long is a failed call, and a caller who leaves is not', async () => {
  provider.plays(() => () => {})
  const ready = await readyFor(ctx, 'ai_assistant')
  const leaving = new AbortController()
  await assert.rejects(vectorsOf(ctx, ready, ['x'], { signal: leaving.signal, timeoutMs: 50 }), {
    name: 'CallError',
    kind: 'slow',
  })
  const pending = vectorsOf(ctx, ready, ['x'], { signal: leaving.signal, timeoutMs: 60_000 })
  leaving.abort()
  await assert.rejects(pending, ({ name }: Error) => name !== 'CallError')
  assert.deepEqual((await outcomes()).slice(-2), ['error', 'aborted'])
})
