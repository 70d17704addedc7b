import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const nightly = { cron: '30 2 * * *', interval: null, time_zone: 'Europe/Amsterdam' }

const details = (answer: { body: { detail: string }[] }) => answer.body.map(({ detail }) => detail)

async function make(name: string, rest: Record<string, unknown> = {}) {
  const answer = await corvus.call('POST', 'tasks', { data: { name, type: 'housekeeping', ...rest } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

test('the system tasks exist with their schedules', async () => {
  const { body } = await corvus.call('GET', 'tasks?filter[is_system]=true')
  const names = body.data.map(({ name }: { name: string }) => name).sort()
  assert.deepEqual(names, ['Feed health', 'Housekeeping', 'Mail', 'Retention', 'Unused contents'])
  const { body: housekeeping } = await corvus.call('GET', 'tasks?filter[name]=Housekeeping')
  assert.deepEqual(housekeeping.data[0].execution_schedule, { cron: '0 3 * * *', interval: null, time_zone: 'UTC' })
})

test('a task that is created with a schedule has a next time', async () => {
  const task = await make('scheduled', { execution_schedule: { cron: '30 2 * * *', time_zone: 'Europe/Amsterdam' } })
  assert.deepEqual(task.execution_schedule, nightly)
  assert.match(task.next_run_at, /T0[01]:30:00\.000000\+00:00$/)
  assert.ok(Date.parse(task.next_run_at) > Date.now())
  assert.equal((await corvus.call('GET', `tasks/${task.id}`)).body.data.next_run_at, task.next_run_at)
  assert.equal((await make('unscheduled')).next_run_at, null)
})

test('the next time changes with the schedule and with nothing else', async () => {
  const { id, next_run_at } = await make('patched', { execution_schedule: { interval: 3600 } })
  const patch = async (data: unknown) => (await corvus.call('PATCH', `tasks/${id}`, { data })).body.data
  assert.equal((await patch({ description: 'x' })).next_run_at, next_run_at)
  assert.equal((await patch({ is_active: false })).next_run_at, null)
  assert.notEqual((await patch({ is_active: true })).next_run_at, null)
  const cron = await patch({ execution_schedule: { cron: '0 3 * * *', interval: null } })
  assert.deepEqual(cron.execution_schedule, { cron: '0 3 * * *', interval: null, time_zone: 'UTC' })
  assert.match(cron.next_run_at, /T03:00:00/)
  assert.equal((await patch({ execution_schedule: null })).next_run_at, null)
})

test('PUT sets the next time of every task in it', async () => {
  const items = [
    { name: 'put one', type: 'housekeeping', execution_schedule: { interval: 60 } },
    { name: 'put two', type: 'housekeeping' },
  ]
  const { status, body } = await corvus.call('PUT', 'tasks', { data: items })
  assert.equal(status, 201)
  assert.deepEqual(
    body.data.map((task: { next_run_at: unknown }) => task.next_run_at !== null),
    [true, false],
  )
  const again = await corvus.call('PUT', 'tasks', { data: items })
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.data[0].next_run_at, body.data[0].next_run_at)
})

test('a type that does not exist is refused with those that do', async () => {
  const answer = await corvus.call('POST', 'tasks', { data: { name: 'x', type: 'alchemy' } })
  assert.equal(answer.status, 400)
  assert.match(details(answer)[0] ?? '', /^data\.type: .*housekeeping/)
})

test('every bad field of a schedule is named by its path', async () => {
  const execution_schedule = { cron: '99 * * * *', time_zone: 'Nowhere' }
  const answer = await corvus.call('POST', 'tasks', { data: { name: 'x', type: 'housekeeping', execution_schedule } })
  assert.equal(answer.status, 400)
  const paths = details(answer).map((detail) => detail.split(':')[0])
  assert.deepEqual(paths, ['data.execution_schedule.cron', 'data.execution_schedule.time_zone'])
})

test('parameters that the type does not take are refused by their path, and nothing is stored', async () => {
  const bad = { type: 'housekeeping', parameters: { keep_tokens_days: 0, refresh_statistics: 'x' } }
  const answer = await corvus.call('PUT', 'tasks', {
    data: [
      { name: 'good', type: 'housekeeping' },
      { name: 'bad', ...bad },
    ],
  })
  assert.equal(answer.status, 400)
  const paths = details(answer).map((detail) => detail.split(':')[0])
  assert.deepEqual(paths, ['[1].parameters.keep_tokens_days', '[1].parameters.refresh_statistics'])
  assert.equal((await corvus.call('GET', 'tasks?filter[name]=good&data=false')).body.total_count, 0)
  const { id } = await make('parameters', { parameters: { refresh_statistics: false } })
  assert.equal((await corvus.call('PATCH', `tasks/${id}`, { parameters: { refresh_statistics: 'x' } })).status, 400)
  const { body } = await corvus.call('PATCH', `tasks/${id}`, { parameters: { keep_tokens_days: 7 } })
  assert.deepEqual(body.data.parameters, { refresh_statistics: false, keep_tokens_days: 7 })
})

test('a system task can be changed but neither deleted nor given another type', async () => {
  const { body } = await corvus.call('GET', 'tasks?filter[is_system]=true')
  const { id } = body.data[0]
  assert.equal((await corvus.call('PATCH', `tasks/${id}`, { execution_schedule: { cron: '0 4 * * *' } })).status, 200)
  for (const answer of [await corvus.call('DELETE', `tasks/${id}`), await corvus.call('DELETE', 'tasks', [id])]) {
    assert.equal(answer.status, 409)
    assert.match(details(answer)[0] ?? '', /comes with the platform/)
  }
  // There is one type today. A task of another type can only come from another version.
  await sql`update tasks set type = 'of another version' where id = ${id}`.execute(corvus.db)
  assert.equal((await corvus.call('PATCH', `tasks/${id}`, { type: 'housekeeping' })).status, 409)
  await sql`update tasks set type = 'housekeeping' where id = ${id}`.execute(corvus.db)
})

test('deleting a task ends its runs', async () => {
  const { id } = await make('doomed')
  const run = (await corvus.call('POST', 'tasks/runs', { task: id })).body.data
  assert.equal((await corvus.call('GET', `tasks/${id}`)).body.data.last_run.endsWith(`/tasks/runs/${run.id}`), true)
  assert.equal((await corvus.call('DELETE', `tasks/${id}`)).status, 204)
  assert.equal((await corvus.call('GET', `tasks/runs/${run.id}`)).status, 404)
  const { rows } = await sql`select state from jobs.job where id = ${run.id}`.execute(corvus.db)
  assert.deepEqual(rows, [{ state: 'cancelled' }])
})
