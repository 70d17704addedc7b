import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WEB_FOLDER } from '../../server/http/web.ts'
import { routes } from '../../server/registry.ts'
import { startApp } from '../app.ts'
import { effort } from '../effort.ts'
import { explore, type Findings } from './explore.ts'
import { prepareDatabase } from './people.ts'
import { unplanned } from './posted.ts'
import { BESIDE, NOT_ASKED, nameOf, reads } from './routes.ts'
import { servedPaths } from './served.ts'
import { TAXONOMIES } from './world.ts'
import { writingRoutes } from './writes.ts'

/** How many worlds there are in each of two files, which the runner runs side by side: the second has other ones each time. */
const SAME = effort(500, 100)
const FRESH = effort(500, 10)

/** The seed of a single world to try again. */
const { VISIBILITY_SEED: single } = process.env

/** Fewer worlds need not have come by everything: by every read, or by every write. */
const MIN_WORLDS = 100
const MIN_WRITES = 200

/** Whether a path is that of a script, style or picture of the web interface, where it is built. */
const isFileOfPages = (path: string): boolean => existsSync(join(WEB_FOLDER, path))

/** Tests in one part of the worlds that users cannot read, count or infer what they may not see. */
export function testWorlds(part: number): void {
  const first = part === 1 ? 1 : Date.now() % 2 ** 31
  const drawn = Array.from({ length: part === 1 ? SAME : FRESH }, (_, i) => first + i)
  const seeds = single === undefined ? drawn : part === 1 ? [Number(single)] : []
  const tooFew = (enough: number) =>
    seeds.length < enough && `fewer than ${enough} worlds need not have come by everything`
  let corvus: Awaited<ReturnType<typeof startApp>>
  let findings: Findings

  before(async () => {
    corvus = await startApp()
    await prepareDatabase(corvus.db)
    // Streams are not read to an end, so they need a connection.
    await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => corvus.stop())

  test(`in ${seeds.length} random worlds, users cannot read, count or infer what they may not see`, async (t) => {
    t.diagnostic(`seeds ${seeds[0]} to ${seeds.at(-1)}; VISIBILITY_SEED=… looks at a single one`)
    findings = await explore(corvus, seeds, await makeShared())
    const faults = [...findings.faults].map(([kind, texts]) => `${kind} (${texts.length} in all)\n${texts[0]}`)
    if (faults.length > 0) assert.fail(faults.join('\n\n'))
  })

  test('the worlds have much that is seen, and much that is not', { skip: tooFew(MIN_WORLDS) }, () => {
    const share = findings.seen / findings.objects
    assert.ok(share > 0.3 && share < 0.7, `${share} of all objects were to be seen`)
  })

  // The same for every part.
  if (part === 1) test('every request that reads has a plan', () => assert.deepEqual(unplanned, []))

  if (part === 1) {
    test('the application serves nothing to read that is not among these requests', () => {
      // A path that only takes other methods is a 404, also where GET would take its last part for an id.
      const known = new Set(routes.map(({ base = '/api/v2', path }) => `${base}${path}`))
      const others = servedPaths(corvus.app).filter((path) => !known.has(path) && !isFileOfPages(path))
      assert.deepEqual(others.toSorted(), Object.keys(BESIDE).toSorted())
    })
  }

  test('every read there is was asked, or is excepted for a reason', { skip: tooFew(MIN_WORLDS) }, () => {
    const all = reads.map(nameOf)
    const isMissing = (route: string) => !findings.routes.has(route) && !Object.hasOwn(NOT_ASKED, route)
    assert.deepEqual(all.filter(isMissing), [])
    const stale = Object.keys(NOT_ASKED).filter((route) => findings.routes.has(route) || !all.includes(route))
    assert.deepEqual(stale, [], 'exceptions that are asked, or that are no routes')
  })

  test('every route that writes was tried', { skip: tooFew(MIN_WRITES) }, () => {
    const all = writingRoutes.map(nameOf)
    assert.deepEqual(
      all.filter((route) => !findings.routes.has(route)),
      [],
    )
  })

  /** Creates what all worlds share, and returns its ids by name. */
  async function makeShared(): Promise<Map<string, string>> {
    const shared = new Map([['default', '1']])
    await corvus.call('PUT', 'entity-definitions', [{ name: 'Thing', type: 'thing' }])
    for (const path of TAXONOMIES) {
      const { body } = await corvus.call('PUT', 'taxonomies', [{ path }])
      shared.set(path, String(body.data[0].id))
    }
    return shared
  }
}
