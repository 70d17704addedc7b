import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WEB_FOLDER } from '../../server/http/web.ts'
import { routes } from '../../server/registry.ts'
import { startApp } from '../app.ts'
import { effort } from '../effort.ts'
import { explore, type Findings, READS } from './explore.ts'
import { storeLoad } from './frameworks.ts'
import { prepareDatabase } from './people.ts'
import { unplanned } from './posted.ts'
import { NOT_ASKED, nameOf, OUTSIDE_API, reads, weightedRoutes } from './routes.ts'
import { servedPaths } from './served.ts'
import { TAXONOMIES } from './world.ts'
import { writingRoutes } from './writes.ts'

/** The first of the worlds that are the same in every run: from here on, few worlds come by every read. */
const FIRST_WORLD = 41

/** The number of worlds in each of two files, which run in parallel: one with the same worlds in every run, one with fresh ones. */
const SAME_WORLDS = effort(500, Math.ceil(weightedRoutes.length / READS))
const FRESH_WORLDS = effort(500, 10)

/** The seed of a single world to test again. */
const { VISIBILITY_SEED: single } = process.env

/** With fewer worlds, some reads or some writes may not have been requested. */
const MIN_WORLDS = Math.ceil(weightedRoutes.length / READS)
const MIN_WRITES = 200

/** Whether a path is that of a file of the built web interface. */
const isFileOfPages = (path: string): boolean => existsSync(join(WEB_FOLDER, path))

/** Tests with one share of the worlds that users cannot read, count or infer what they may not see. */
export function testWorlds(part: number): void {
  const first = part === 1 ? FIRST_WORLD : Date.now() % 2 ** 31
  const drawn = Array.from({ length: part === 1 ? SAME_WORLDS : FRESH_WORLDS }, (_, i) => first + i)
  const seeds = single === undefined ? drawn : part === 1 ? [Number(single)] : []
  const tooFew = (enough: number) =>
    seeds.length < enough && `fewer than ${enough} worlds need not have come by everything`
  let corvus: Awaited<ReturnType<typeof startApp>>
  let findings: Findings

  before(async () => {
    corvus = await startApp()
    await prepareDatabase(corvus.db)
    // Streams are not read to their end, so they need a real connection.
    await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => corvus.stop())

  test(`in ${seeds.length} random worlds, users cannot read, count or infer what they may not see`, async (t) => {
    t.diagnostic(`seeds ${seeds[0]} to ${seeds.at(-1)}; VISIBILITY_SEED=… looks at a single one`)
    findings = await explore(corvus, seeds, await makeShared())
    const faults = [...findings.faults].map(([kind, texts]) => `${kind} (${texts.length} in all)\n${texts[0]}`)
    if (faults.length > 0) assert.fail(faults.join('\n\n'))
  })

  test('the users of the worlds see much, and much is hidden from them', { skip: tooFew(MIN_WORLDS) }, () => {
    const share = findings.seen / findings.objects
    assert.ok(share > 0.3 && share < 0.7, `${share} of all objects were to be seen`)
  })

  // This does not depend on the worlds.
  if (part === 1) test('every request that reads has a plan', () => assert.deepEqual(unplanned, []))

  if (part === 1) {
    test('the application serves nothing to read that these requests leave out', () => {
      // A path with other methods only is a 404, even if GET could take its last part for an id.
      const known = new Set(routes.map(({ base = '/api/v2', path }) => `${base}${path}`))
      const others = servedPaths(corvus.app).filter((path) => !known.has(path) && !isFileOfPages(path))
      assert.deepEqual(others.toSorted(), Object.keys(OUTSIDE_API).toSorted())
    })
  }

  test('every read was requested, or is excepted with a reason', { skip: tooFew(MIN_WORLDS) }, () => {
    const all = reads.map(nameOf)
    const isMissing = (route: string) => !findings.routes.has(route) && !Object.hasOwn(NOT_ASKED, route)
    assert.deepEqual(all.filter(isMissing), [])
    const stale = Object.keys(NOT_ASKED).filter((route) => findings.routes.has(route) || !all.includes(route))
    assert.deepEqual(stale, [], 'exceptions that are asked, or that are no routes')
  })

  test('every route that writes was requested', { skip: tooFew(MIN_WRITES) }, () => {
    const all = writingRoutes.map(nameOf)
    assert.deepEqual(
      all.filter((route) => !findings.routes.has(route)),
      [],
    )
  })

  /** Creates what all worlds share, and returns its ids by name. */
  async function makeShared(): Promise<Map<string, string>> {
    const shared = new Map([['default', '1'], ...(await storeLoad(corvus))])
    await corvus.call('PUT', 'entity-definitions', [{ name: 'Thing', type: 'thing' }])
    for (const path of TAXONOMIES) {
      const { body } = await corvus.call('PUT', 'taxonomies', [{ path }])
      shared.set(path, String(body.data[0].id))
    }
    return shared
  }
}
