import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'
import { type Running, startProcess } from '../process.ts'
import { useProvider } from '../set-up/ai.ts'
import { countedWords, startScriptedProvider } from '../set-up/scripted-provider.ts'
import { until } from '../until.ts'

const BATCH = 64

/** The application that the test calls, on the database of the processes that embed. */
let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let running: Running
let ended: Promise<unknown> = Promise.resolve()

const start = async () => {
  running = await startProcess(corvus.config.dataFolder, { DATABASE_URL: corvus.url, CORVUS_LOG_LEVEL: 'silent' })
  ended = once(running.child, 'exit')
}

before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
})
after(async () => {
  running.child.kill('SIGTERM')
  await ended
  await provider.stop()
  await corvus.stop()
})

test('a server that is killed while it embeds passages continues after its next start', async () => {
  const description = Array.from({ length: 5000 }, (_, i) => `Sentence ${i} tells about bird ${i * 7919}. `).join('')
  const { status } = await corvus.call('POST', 'entities', {
    data: { data: { type: 'report', title: 'Birds', description }, meta: { tlp_color: 'GREEN' } },
  })
  assert.equal(status, 201)
  const model = { selected_embedding_model: 'text-embedding-scripted' }
  await useProvider(corvus, provider, ['ai_assistant'], model)
  let isKilled = false
  provider.embeds((text) => {
    // In the middle of its second batch, and before the answer.
    if (!isKilled && provider.prompts.length === 2) {
      isKilled = true
      running.child.kill('SIGKILL')
    }
    return countedWords(text)
  })
  await start()
  await until(async () => isKilled, 'nothing was embedded')
  await ended
  // It held its claim for more than a minute, which is too long for a test.
  await corvus.pool.query('update passage_index set claimed_until = now()')
  await start()
  await until(async () => {
    const { body } = await corvus.call('GET', 'configurations/ai')
    return body.data[0].ai_assistant.rag_state === 'success'
  }, 'the passages are not embedded')
  const { rows } = await corvus.pool.query(
    'select (select count(*) from passages) as passages, (select count(*) from passage_vectors) as vectors',
  )
  assert.ok(rows[0].passages > 2 * BATCH)
  assert.equal(rows[0].vectors, rows[0].passages)
  const sent = provider.prompts.reduce((sum, { input }) => sum + input.length, 0)
  assert.equal(sent, rows[0].passages + BATCH, 'only the batch of the killed process is sent twice')
})
