import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../../test/app.ts'
import { isThorough } from '../../../../test/effort.ts'
import { serverOf } from '../../../../test/followers.ts'
import { consolidating } from '../../../../test/set-up/consolidation.ts'
import { type Job, TaskError } from '../../../background/task.ts'
import { consolidateExisting, dissolveUnified } from './consolidate-existing.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
const sources: string[] = []
before(async () => {
  corvus = await startApp()
  tools = consolidating(corvus)
  for (const name of ['One', 'Two']) sources.push(await tools.source(name))
})
after(() => corvus.stop())

/** A run as a worker creates it. `onProgress` is called after each batch. */
async function jobOf<P>(parameters: P, onProgress: () => void = () => {}, signal = new AbortController().signal) {
  const lines: string[] = []
  const rest = { id: '', attempt: 1, callerId: null, parameters, signal, progress: onProgress }
  return {
    ...(await serverOf(corvus)),
    ...rest,
    log: (line: string) => void lines.push(line),
    lines,
  } satisfies Job<P> & {
    lines: string[]
  }
}

const tool = (title: string, source: number) => ({ data: { type: 'tool', title }, sources: [sources[source]] })
const partition = async () => (await tools.unified()).map(({ contributors }) => contributors.length)

test('a run consolidates existing entities and names the keys that are switched off; another one changes nothing', async () => {
  await tools.put([
    ...Array.from({ length: 51 }, (_, i) => tool('Mass', i % 2)),
    tool('Wigeon', 0),
    tool('wigeon', 1),
    tool('Teal', 0),
  ])
  const policy = await tools.policy(['tool'])
  const job = await jobOf({ policy })
  const { result, outcome } = await consolidateExisting.run(job)
  assert.deepEqual(result, { judged: 54, joined: 2, left: 0, groups: 1, suggestions: 0, full: 0 })
  assert.equal(outcome, 'WARNING')
  assert.ok(job.lines.includes("51 entities share the key 'title:tool:mass'."), job.lines.join('\n'))
  assert.deepEqual(await partition(), [2])
  const { rows } = await sql<{ warning: string }>`select warning from consolidation_rules where id = ${policy}`.execute(
    corvus.db,
  )
  assert.equal(rows[0]?.warning, '2 keys are switched off, because more than 50 entities share each of them.')
  const before = await tools.written()
  await consolidateExisting.run(await jobOf({ policy }))
  assert.deepEqual(await tools.written(), before)
  await assert.rejects(consolidateExisting.run(await jobOf({ policy: 9999 })), TaskError)
})

test('what a policy covers no more is taken apart by its run, and what a deleted policy joined by another', async () => {
  const { rows } = await sql<{ id: number }>`select id from consolidation_rules`.execute(corvus.db)
  const policy = rows[0]?.id ?? 0
  await sql`
    update consolidation_configurations set entity_types = '{malware}' where policy_id = ${policy}`.execute(corvus.db)
  const { result } = await consolidateExisting.run(await jobOf({ policy }))
  assert.deepEqual(result, { judged: 54, joined: 0, left: 2, groups: 0, suggestions: 0, full: 0 })
  assert.deepEqual(await partition(), [])
  await sql`
    update consolidation_configurations set entity_types = '{tool}' where policy_id = ${policy}`.execute(corvus.db)
  await consolidateExisting.run(await jobOf({ policy }))
  assert.deepEqual(await partition(), [2])
  await sql`delete from consolidation_rules where id = ${policy}`.execute(corvus.db)
  await dissolveUnified.run(await jobOf({ policies: [policy] }))
  assert.deepEqual(await partition(), [])
  const ended = await sql<{ undone_reason: string }>`
    select distinct undone_reason from consolidation_events order by 1`.execute(corvus.db)
  assert.deepEqual(
    ended.rows.map(({ undone_reason }) => undone_reason),
    ['Its policy was deleted.', 'The entity takes no part in consolidation any more.'],
  )
  const { rows: left } = await sql`select from match_subjects union all select from match_keys`.execute(corvus.db)
  assert.equal(left.length, 0)
})

test('a run that was stopped leaves complete batches, and another one does the rest', {
  skip: !isThorough && 'takes long',
}, async () => {
  for (let n = 0; n < 3; n++) {
    await tools.put(Array.from({ length: 700 }, (_, i) => tool(`Gull ${(n * 700 + i) >> 1}`, i % 2)))
  }
  const policy = await tools.policy(['tool'])
  const controller = new AbortController()
  const stop = () => controller.abort(new TaskError('Enough.'))
  await assert.rejects(consolidateExisting.run(await jobOf({ policy }, stop, controller.signal)), /Enough/)
  const first = (await partition()).length
  assert.ok(first > 900 && first < 1051, String(first))
  await consolidateExisting.run(await jobOf({ policy }))
  assert.equal((await partition()).length, 1051)
})
