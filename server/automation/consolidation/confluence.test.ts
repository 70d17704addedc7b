import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import { consolidating } from '../../../test/set-up/consolidation.ts'
import {
  histories,
  type Random,
  randomBy,
  randomDecisions,
  randomEntity,
} from '../../../test/set-up/consolidation-histories.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
let history: ReturnType<typeof histories>
let policy: number
const sources: string[] = []
before(async () => {
  corvus = await startApp()
  tools = consolidating(corvus)
  history = histories(corvus, tools, (await corvus.call('GET', 'users/self')).body.data.id)
  for (const name of ['One', 'Two', 'Three', 'Four']) sources.push(await tools.source(name))
  policy = await tools.policy(['malware'])
})
after(() => corvus.stop())

const COUNT = 16

/** The same end by another way: in any order and in any portions, with detours, and grouped by the follower or at once at the end. */
async function carryOut(random: Random, final: readonly object[], decided: ReturnType<typeof randomDecisions>) {
  await history.clear()
  const isFollowed = random.chance(0.7)
  const pause = async (probability: number) => {
    await setImmediate()
    if (isFollowed && random.chance(probability)) await tools.follow()
  }
  const rounds = random.below(3)
  for (let round = 0; round < rounds; round++) {
    const some = random.shuffled(final.map((_, i) => i)).slice(0, 1 + random.below(COUNT))
    await tools.put(some.map((n) => randomEntity(random, n, sources)))
    await pause(0.7)
    for (const id of await history.idsOf(random.shuffled(some).slice(0, random.below(4)))) {
      await corvus.call('DELETE', `entities/${id}`)
      await pause(0.3)
    }
  }
  const order = random.shuffled(final)
  while (order.length > 0) {
    await tools.put(order.splice(0, 1 + random.below(COUNT)))
    await pause(0.5)
  }
  const steps = [
    ...decided.assigned.map((group) => () => history.assign(group)),
    ...decided.exempt.map((n) => () => history.exempt(n)),
    ...decided.refused.map((pair) => () => history.refuse(pair)),
  ]
  for (const step of random.shuffled(steps)) {
    await step()
    await pause(0.3)
  }
  if (isFollowed) await tools.follow()
  else await tools.regroupAll()
}

test('any way to the same entities and decisions leads to the same unified entities', async () => {
  const isFixed = process.env.SEED !== undefined
  for (let n = 0; n < (isFixed ? 1 : effort(100, 1)); n++) {
    const seed = isFixed ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31)
    const random = randomBy(seed)
    const final = Array.from({ length: COUNT }, (_, i) => randomEntity(random, i, sources))
    const decided = randomDecisions(random, COUNT)
    let expected: unknown
    for (let way = 0; way < 3; way++) {
      await carryOut(random, final, decided)
      const result = await history.result()
      assert.deepEqual(result, await history.naive(policy), `seed ${seed}, way ${way}`)
      expected ??= result
      assert.deepEqual(result, expected, `seed ${seed}, way ${way}`)
      const before = await tools.written()
      await tools.regroupAll()
      assert.deepEqual(await tools.written(), before, `seed ${seed}, way ${way}: the result was not up to date`)
    }
  }
})
