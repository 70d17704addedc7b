import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { type Enrichers, finds, startEnrichers } from '../../../../test/set-up/enrichers.ts'
import { makeId } from '../../../engine/ids.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readRules } from '../requests/candidates.ts'
import { enqueue } from '../requests/enqueue.ts'
import { claimLookUps } from './claim.ts'
import { lookUp } from './look-up.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
})
after(() => corvus.stop())

test('a look-up whose lease ended while its source answered stores nothing, because another process has it', async () => {
  const enricher = await corvus.enricher({ name: 'fenced' })
  const { id } = await corvus.observable('fenced.example')
  const caller = await asUser(corvus.server, (await corvus.ask('GET', 'users/self')).id)
  assert.ok(caller)
  const enrichers = await readRules(corvus.server, [enricher.id])
  await enqueue({ ...corvus.server, caller, baseUrl: '' }, { enrichers, observables: [id] })
  let answers = 0
  corvus.source.answers('/fenced', (response, call) => {
    answers++
    return finds({ kind: 'entity', type: 'malware', id: 'one', title: `Answer ${answers}` })(response, call)
  })
  const [first] = await claimLookUps(corvus.db, makeId(), 10)
  assert.ok(first)
  assert.deepEqual(await claimLookUps(corvus.db, makeId(), 10), [], 'it is claimed')
  await corvus.pool.query('update enrichment_requests set claimed_until = now()')
  const [second] = await claimLookUps(corvus.db, makeId(), 10)
  assert.ok(second)
  const surroundings = {
    server: corvus.server,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  }
  await lookUp(surroundings, first)
  assert.equal((await corvus.enrichmentOf(enricher.id, id)).state, 'PENDING')
  await lookUp(surroundings, second)
  assert.equal((await corvus.enrichmentOf(enricher.id, id)).state, 'FOUND')
  await lookUp(surroundings, first)
  const entities = await corvus.ask('GET', `entities?filter[observables]=${id}`)
  assert.deepEqual(
    entities.map(({ data }: { data: { title: string } }) => data.title),
    ['Answer 2'],
  )
})
