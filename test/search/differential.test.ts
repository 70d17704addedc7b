import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'
import { effort } from '../effort.ts'
import { chanceOf } from '../visibility/chance.ts'
import { compare, compareWalk, type Fault, shrink } from './compare.ts'
import { drawQuery } from './draw-query.ts'
import { evaluate } from './evaluate.ts'
import { buildWorld, type Corvus, type World } from './world.ts'

/** The number of queries over all worlds, and the seed of a single world to test again. */
const { SEARCH_PAIRS: pairs = effort(5000, 400), SEARCH_SEED: single } = process.env

const seeds = single === undefined ? [1, 2, 3, Date.now() % 2 ** 31] : [Number(single)]
const queries = Math.ceil(Number(pairs) / seeds.length)

/** One query in this many is read page by page. */
const WALKS = 20

/** The number of differences after which the test stops. */
const MAX_FAULTS = 200

// One database for all worlds, because a process adds the same word only once.
let corvus: Corvus
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

for (const seed of seeds) {
  test(`${queries} random queries find just what matches them, in the world of SEARCH_SEED=${seed}`, async () => {
    const world = await buildWorld(corvus, seed)
    const faults = await faultsIn(world)
    const kinds = [...Map.groupBy(faults, ({ kind }) => kind)]
    if (kinds.length > 0) {
      const texts = kinds.map(([kind, all]) => `${kind} (${all.length} in all)\n${all[0]?.text}`)
      assert.fail(`${faults.length} faults of ${kinds.length} kinds\n\n${texts.join('\n\n')}`)
    }
  })
}

test('the queries match much, and leave much out', async () => {
  const world = await buildWorld(corvus, 1)
  const chance = chanceOf(1)
  const shares = Array.from({ length: 1000 }, () => {
    const query = drawQuery(chance, world.known)
    return world.entities.filter(({ searchable }) => evaluate(query, searchable, new Date())).length
  })
  const some = shares.filter((count) => count > 0 && count < world.entities.length).length / shares.length
  assert.ok(some > 0.4, `only ${some} of all queries tell entities apart`)
})

async function faultsIn(world: World): Promise<Fault[]> {
  const chance = chanceOf(world.seed)
  const faults: Fault[] = []
  for (let i = 0; i < queries && faults.length < MAX_FAULTS; i++) {
    const query = drawQuery(chance, world.known)
    const fault = await compare(corvus, world, query)
    const walkFault = fault || i % WALKS > 0 ? undefined : await compareWalk(corvus, world, query)
    if (fault) faults.push(await shrink(corvus, world, query, fault))
    if (walkFault) faults.push(walkFault)
  }
  return faults
}
