import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { type Enrichers, startEnrichers } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'
import { makeId } from '../../../engine/ids.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readRules } from '../requests/candidates.ts'
import { enqueue } from '../requests/enqueue.ts'
import { type Claimed, claimLookUps } from './claim.ts'
import { lookUp } from './look-up.ts'

const statements: string[] = []
let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers({ onStatement: (statement) => statements.push(statement) })
})
after(() => corvus.stop())
beforeEach(() => {
  statements.length = 0
})

const perform = (claimed: Claimed) =>
  lookUp({ server: corvus.server, log: pino({ level: 'silent' }), signal: new AbortController().signal }, claimed)

/** Look-ups of an enricher that the administrator asked for, claimed. */
async function claimed(enricher: number, values: readonly string[]): Promise<Claimed[]> {
  const caller = await asUser(corvus.server, (await corvus.ask('GET', 'users/self')).id)
  assert.ok(caller)
  const observables = []
  for (const value of values) observables.push((await corvus.observable(value)).id)
  const enrichers = await readRules(corvus.server, [enricher])
  await enqueue({ ...corvus.server, caller, baseUrl: '' }, { enrichers, observables })
  return claimLookUps(corvus.db, makeId(), 10)
}

test('a maximum colour that is lowered while a look-up waits for its limit holds for that look-up', async () => {
  const enricher = await corvus.enricher({ name: 'lowered', rate_limit: 1, max_tlp: 'RED' })
  const [first, second] = await claimed(enricher.id, ['one.lowered.example', 'two.lowered.example'])
  assert.ok(first && second)
  await corvus.pool.query('update observable_records set vis = vis / 8 * 8 + 3')
  await perform(first)
  statements.length = 0
  const waiting = perform(second)
  await until(async () => statements.some((each) => /from enricher_budgets/.test(each)), 'it does not reserve a call')
  await corvus.pool.query(`update enrichers set max_tlp = 'GREEN' where id = $1`, [enricher.id])
  await waiting
  assert.equal(corvus.source.callsTo('/lowered').length, 1)
})
