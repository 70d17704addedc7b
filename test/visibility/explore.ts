import { sql } from 'kysely'
import type { startApp } from '../app.ts'
import { build } from './build.ts'
import { type Chance, chanceOf } from './chance.ts'
import { checkLoad } from './check-load.ts'
import { checkLists, checkReads, checkRefusals, checkRemovals, checkWrites } from './checks.ts'
import type { Scene, View } from './compare.ts'
import { namesIn } from './draw.ts'
import { forgetUnseen, unseenRows } from './forget.ts'
import { registerHoldings } from './holding-ids.ts'
import { type Instance, instanceOf } from './instance.ts'
import { seenBy } from './model.ts'
import { checkPassages, makePassages } from './passages.ts'
import { newToken } from './people.ts'
import { checkHistory, checkPackPreview, checkStream, markEnd } from './records.ts'
import { WORLDLY } from './routes.ts'
import { changesIn, hashAll, hashRows, wipe } from './tables.ts'
import { checkKnownObservable, checkTaken } from './taken.ts'
import { VIEWERS } from './world.ts'
import { worldOf } from './world-of.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>

/** The results: faults by their kind, and the requested routes. */
export interface Findings {
  readonly faults: Map<string, string[]>
  readonly routes: Set<string>
  /** How many objects two users could have seen, and how many of them they were allowed to see. */
  objects: number
  seen: number
}

/** How many worlds are in the database at the same time, and how many requests run at the same time. */
const BATCH = 25
const LANES = 4

/** How many requests that read are sent for each view of a world. */
export const READS = 8
/** The same for requests of other kinds. */
const REFUSALS = 2
const WRITES = 1
/** How often the history, streams and loads are read, and packs are previewed. */
const RECORDS = 0.2

/** Builds the worlds of these seeds, and checks what the users of each see. */
export async function explore(
  corvus: Corvus,
  seeds: readonly number[],
  shared: ReadonlyMap<string, string>,
): Promise<Findings> {
  const findings: Findings = { faults: new Map(), routes: new Set(), objects: 0, seen: 0 }
  let number = 0
  const make = (seed: number): Instance => {
    const instance = instanceOf(worldOf(seed), ++number, { ann: newToken(), bob: newToken() }, shared)
    registerHoldings(instance)
    return instance
  }
  for (let i = 0; i < seeds.length; i += BATCH) {
    const views = seeds.slice(i, i + BATCH).map((seed): View => {
      const instance = make(seed)
      const viewer = VIEWERS[seed % 2] ?? 'ann'
      return { viewer, instance, twin: make(seed), seen: seenBy(instance.world, viewer) }
    })
    await exploreTogether(corvus, views, findings)
  }
  return findings
}

async function exploreTogether(corvus: Corvus, views: readonly View[], findings: Findings): Promise<void> {
  const { db } = corvus
  const instances = views.flatMap(({ instance, twin }) => [instance, twin])
  await build(corvus, instances)
  await forgetUnseen(
    db,
    views.map(({ twin, seen, viewer }) => ({ instance: twin, seen, viewer })),
  )
  await makePassages(db)
  const scene = await sceneOf(corvus, instances, findings)
  const chances = new Map(views.map((view) => [view, chanceOf(view.instance.world.seed)]))
  const each = (work: (view: View, chance: Chance) => Promise<void>) => eachOf([...chances], work)
  const fail = (kind: string, tables: readonly string[]) => {
    if (tables.length > 0) scene.fail(kind, `seeds ${views.map((view) => view.instance.world.seed)}: ${tables}`)
  }

  await each(async (view, chance) => {
    for (const viewer of VIEWERS) {
      const seen = seenBy(view.instance.world, viewer)
      const objects = WORLDLY.flatMap((collection) => namesIn(view.instance.world, collection))
      findings.seen += objects.filter((name) => seen.names.has(name)).length
      findings.objects += objects.length
      await checkLists(scene, chance, viewer === view.viewer ? view : { viewer, seen, instance: view.instance })
      if (chance.flip(RECORDS)) await checkPassages(scene, corvus, chance, { viewer, seen, instance: view.instance })
    }
    await checkReads(scene, chance, view, READS)
    if (chance.flip(RECORDS)) await checkStream(scene, chance, view)
    if (chance.flip(RECORDS)) await checkHistory(scene, chance, view)
    if (chance.flip(RECORDS)) await checkPackPreview(scene, chance, view)
    if (chance.flip(RECORDS)) await checkLoad(scene, view)
  })

  const everything = await hashAll(db)
  await each(async (view, chance) => {
    await checkRefusals(scene, chance, view, REFUSALS)
    await checkTaken(scene, chance, view)
  })
  fail('refused writes changed something', changesIn(everything, await hashAll(db)))

  // An unseen unified entity is restricted when one of its contributors is, which may be seen.
  const rows = unseenRows(views, ({ unifies }) => unifies.length === 0)
  const unseen = await hashRows(db, rows)
  await each((view, chance) => checkWrites(scene, chance, view, WRITES))
  fail('writes changed what was not seen', changesIn(unseen, await hashRows(db, rows)))

  await each(async (view, chance) => {
    await checkRemovals(scene, chance, view)
    await checkKnownObservable(scene, chance, view)
  })
  await wipe(db)
}

async function sceneOf(corvus: Corvus, instances: readonly Instance[], findings: Findings): Promise<Scene> {
  const { app, db } = corvus
  const stream = await markEnd(corvus, `end${instances[0]?.number}`)
  const { rows } = await sql<{ now: string; times: string[] }>`
    select now() as now, array(
      select created_at from entities union select last_updated_at from entities order by 1) as times`.execute(db)
  const known = new Set(instances.flatMap(({ names }) => [...names.keys()]))
  return {
    app,
    stream,
    builtAt: rows[0]?.now ?? '',
    times: rows[0]?.times ?? [],
    isKnown: (id) => known.has(id),
    fail: (kind, text) => findings.faults.set(kind, [...(findings.faults.get(kind) ?? []), text]),
    note: (route) => findings.routes.add(route),
  }
}

/** Processes a few at a time. */
async function eachOf<K, V>(list: readonly [K, V][], work: (key: K, value: V) => Promise<void>): Promise<void> {
  const waiting = [...list]
  const lane = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(...next)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
