import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import { consolidating } from '../../../test/set-up/consolidation.ts'
import { histories, type Random, randomBy, randomEntity } from '../../../test/set-up/consolidation-histories.ts'
import { until } from '../../../test/until.ts'
import { retried } from '../../engine/retried.ts'
import { assignTogether, separate } from './manual.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
let history: ReturnType<typeof histories>
let user: number
const sources: string[] = []
before(async () => {
  corvus = await startApp()
  tools = consolidating(corvus)
  user = (await corvus.call('GET', 'users/self')).body.data.id
  history = histories(corvus, tools, user)
  for (const name of ['One', 'Two', 'Three']) sources.push(await tools.source(name))
  await tools.policy(['malware'])
})
after(() => corvus.stop())

const COUNT = 12
const WRITERS = 4

async function writeAtRandom(random: Random, steps: number): Promise<void> {
  const some = () => random.shuffled(Array.from({ length: COUNT }, (_, i) => i)).slice(0, 1 + random.below(4))
  for (let step = 0; step < steps; step++) {
    await setImmediate()
    const ids = await history.idsOf(some())
    const kind = random.below(6)
    if (kind === 0 && ids.length > 1) await retried(() => tools.inside((ctx) => assignTogether(ctx, ids), user))
    else if (kind === 1) await retried(() => tools.inside((ctx) => separate(ctx, ids), user))
    else if (kind === 2 && ids[0]) await corvus.call('DELETE', `entities/${ids[0]}`)
    else
      await corvus.call(
        'PUT',
        'entities',
        some().map((n) => randomEntity(random, n, sources)),
      )
  }
}

interface Fault {
  readonly fault: string
}

/** What may never be. */
const faults = async (): Promise<readonly Fault[]> => {
  const { rows } = await sql<Fault>`
    select 'a contributor that does not exist' as fault from contributors as m
      where not exists (select from entities as e where e.id = m.entity and not e.is_unified)
    union all
    select 'a contributor to what is not unified' from contributors as m
      where not exists (select from entities as u where u.id = m.unified and u.is_unified)
    union all
    select 'a unified entity with too few contributors' from entities as u
      where u.is_unified and (select count(*) from contributors as m where m.unified = u.id) < 2
    union all
    select 'a unified entity with another key' from entities as u join unified_entities as x on x.entity = u.id
      where u.vis <> composite_of(x.source, u.vis & 7,
        array(select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = u.id))
    union all
    select 'a membership without an event' from contributors as m
      where (select count(*) from consolidation_events as e
        where e.entity = m.entity and e.unified = m.unified and e.undone_at is null) <> 1
    union all
    select 'an event that does not end' from consolidation_events as e
      where e.undone_at is null and not exists (
        select from contributors as m where m.entity = e.entity and m.unified = e.unified)
    union all
    select 'what is known of an entity that is gone' from match_keys as k
      where not exists (select from entities as e where e.id = k.entity)
    union all
    select 'an exemption of an entity that is gone' from consolidation_exemptions as x
      where not exists (select from entities as e where e.id = x.entity)`.execute(corvus.db)
  return rows
}

test('concurrent writes, joins and separations end in a state that grouping everything again does not change', async () => {
  for (let n = 0; n < effort(20, 1); n++) {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = randomBy(seed)
    await history.clear()
    await tools.put(Array.from({ length: COUNT }, (_, i) => randomEntity(random, i, sources)))
    const writers = Array.from({ length: WRITERS }, () => randomBy(random.below(2 ** 31)))
    let isWriting = true
    const following = (async () => {
      while (isWriting) await tools.follow()
    })()
    await Promise.all(writers.map((writer) => writeAtRandom(writer, effort(20, 8)))).finally(() => {
      isWriting = false
    })
    await following
    await tools.follow()
    assert.deepEqual(await faults(), [], `seed ${seed}`)
    const before = await tools.written()
    await tools.regroupAll()
    assert.deepEqual(await tools.written(), before, `seed ${seed}`)
  }
})

const statusFor = async (id: string, token: string) =>
  (await corvus.call('GET', `entities/${id}`, undefined, token)).status

test('while a contributor becomes more restricted, no reader without its new key sees the unified entity', async () => {
  await history.clear()
  const token = await corvus.tokenFor(['read entities'])
  const reader = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  const group = (await corvus.call('POST', 'groups', { data: { name: 'Readers', users: [reader] } })).body.data
  const allowed = [group.source, ...sources.slice(0, 2)].map((source) => `${source}?allowed_tlp=GREEN`)
  const patched = await corvus.call('PATCH', `groups/${group.id}`, { data: { sources: allowed } })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  const item = (n: number, colour: string) => ({
    data: { type: 'malware', id: `malware--00000000-0000-4000-9000-00000000000${n}`, title: 'Phalarope' },
    meta: { tlp_color: colour },
    sources: [sources[n]],
  })
  const seen = async (ids: readonly string[]) => Promise.all(ids.map((id) => statusFor(id, token)))
  const untouched = await tools.put([item(0, 'GREEN'), item(1, 'GREEN')])
  await tools.inside((ctx) => assignTogether(ctx, untouched), user)
  assert.deepEqual(await seen([...untouched, ...(await tools.unified()).map(({ id }) => id)]), [200, 200, 200])
  for (const isJoinedFirst of [true, false]) {
    await history.clear()
    const [open = '', raised = ''] = await tools.put([item(0, 'GREEN'), item(1, 'GREEN')])
    const raise = sql`update entities set vis = (vis & ~7) | 4 where id = ${raised}`
    const writer = await corvus.db.startTransaction().execute()
    if (isJoinedFirst) {
      // The writer waits for the join, and then restricts what it made.
      const joining = await corvus.db.startTransaction().execute()
      await tools.inside((ctx) => assignTogether({ ...ctx, db: joining }, [open, raised]), user)
      const raising = raise.execute(writer)
      await until(() => isWaiting(), 'the writer does not wait')
      await joining.commit().execute()
      await raising
      await writer.commit().execute()
    } else {
      // The join waits for the writer, and then sees the new key.
      await raise.execute(writer)
      const joining = tools.inside((ctx) => assignTogether(ctx, [open, raised]), user)
      await until(() => isWaiting(), 'the join does not wait')
      await writer.commit().execute()
      await joining
    }
    const [unified] = await tools.unified()
    assert.equal(unified?.contributors.length, 2)
    assert.deepEqual(await seen([open, raised, unified.id]), [200, 404, 404])
    assert.deepEqual(await faults(), [])
  }
})

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(corvus.db)
  return rows.length > 0
}
