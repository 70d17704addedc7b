import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { BASE, startApp } from '../../test/app.ts'
import { bareServer } from '../../test/background.ts'
import { startBackground } from '../background.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

let counter = 0

/** A separate task, because unique ones have one run at a time. */
async function makeTask(rest: Record<string, unknown> = {}): Promise<number> {
  const answer = await corvus.call('POST', 'tasks', { name: `task ${++counter}`, type: 'housekeeping', ...rest })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

test('POST starts a run and returns it', async () => {
  const task = await makeTask({ parameters: { refresh_statistics: false } })
  const { status, body } = await corvus.call('POST', 'tasks/runs', {
    data: { task, parameters: { keep_tokens_days: 9 } },
  })
  assert.equal(status, 201)
  const { id, state, parameters, attempt, log, result, created_by } = body.data
  assert.deepEqual(
    { state, parameters, attempt, log, result },
    {
      state: 'SENT',
      parameters: { refresh_statistics: false, keep_tokens_days: 9 },
      attempt: 0,
      log: [],
      result: null,
    },
  )
  assert.equal(body.data.task, `${BASE}/api/v2/tasks/${task}`)
  assert.match(created_by, /\/users\/\d+$/)
  assert.deepEqual((await corvus.call('GET', `tasks/runs/${id}`)).body, body)
})

test('a task is accepted as id, text, URL or path', async () => {
  for (const form of [
    (id: number) => String(id),
    (id: number) => `${BASE}/api/v2/tasks/${id}`,
    (id: number) => `/api/v2/tasks/${id}`,
  ]) {
    assert.equal((await corvus.call('POST', 'tasks/runs', { task: form(await makeTask()) })).status, 201)
  }
})

test('invalid parameters are refused by their path', async () => {
  const task = await makeTask()
  const answer = await corvus.call('POST', 'tasks/runs', {
    task,
    parameters: { keep_tokens_days: -1, refresh_statistics: [] },
  })
  assert.equal(answer.status, 400)
  const paths = answer.body.map(({ detail }: { detail: string }) => detail.split(':')[0])
  assert.deepEqual(paths, ['parameters.keep_tokens_days', 'parameters.refresh_statistics'])
  assert.equal((await corvus.call('POST', 'tasks/runs', { task, parameters: 7 })).status, 400)
})

test('an unknown task is a 400, and an inactive one a 409', async () => {
  const unknown = await corvus.call('POST', 'tasks/runs', { task: 999_999 })
  assert.deepEqual([unknown.status, unknown.body[0].detail], [400, "task: there is no '999999' in tasks."])
  assert.equal((await corvus.call('POST', 'tasks/runs', {})).status, 400)
  const idle = await corvus.call('POST', 'tasks/runs', { task: await makeTask({ is_active: false }) })
  assert.equal(idle.status, 409)
  assert.match(idle.body[0].detail, /is not active/)
})

test('a unique task that is busy is a 409 that names its run', async () => {
  const task = await makeTask()
  const first = await corvus.call('POST', 'tasks/runs', { task })
  const second = await corvus.call('POST', 'tasks/runs', { task })
  assert.equal(second.status, 409)
  assert.ok(second.body[0].detail.includes(`${BASE}/api/v2/tasks/runs/${first.body.data.id}`), second.body[0].detail)
})

test('DELETE stops a run, repeating it is no error, and a run that has ended is a 409', async () => {
  const { id } = (await corvus.call('POST', 'tasks/runs', { task: await makeTask() })).body.data
  assert.equal((await corvus.call('DELETE', `tasks/runs/${id}`, null)).status, 204)
  const { state, ended_at } = (await corvus.call('GET', `tasks/runs/${id}`)).body.data
  assert.equal(state, 'REVOKED')
  assert.notEqual(ended_at, null)
  assert.equal((await corvus.call('DELETE', `tasks/runs/${id}`)).status, 204)
  await sql`update task_runs set state = 'SUCCESS' where id = ${id}`.execute(corvus.db)
  const late = await corvus.call('DELETE', `tasks/runs/${id}`)
  assert.deepEqual([late.status, late.body[0].detail], [409, 'The run has already ended with SUCCESS.'])
  assert.equal((await corvus.call('DELETE', 'tasks/runs/00000000-0000-7000-8000-000000000000')).status, 404)
  assert.equal((await corvus.call('DELETE', 'tasks/runs/7')).status, 404)
})

test('runs cannot be changed, nor deleted all at once', async () => {
  const { id } = (await corvus.call('POST', 'tasks/runs', { task: await makeTask() })).body.data
  assert.equal((await corvus.call('PATCH', `tasks/runs/${id}`, {})).status, 405)
  assert.equal((await corvus.call('PUT', 'tasks/runs', [])).status, 405)
  assert.equal((await corvus.call('DELETE', 'tasks/runs', [id])).status, 405)
})

test('runs are listed by task and by state', async () => {
  const task = await makeTask()
  const { id } = (await corvus.call('POST', 'tasks/runs', { task })).body.data
  const ids = async (query: string) =>
    (await corvus.call('GET', `tasks/runs?${query}`)).body.data.map((run: { id: string }) => run.id)
  assert.deepEqual(await ids(`filter[task]=${task}`), [id])
  assert.deepEqual(await ids(`filter[task]=${BASE}/api/v2/tasks/${task}&filter[state]=SENT`), [id])
  assert.deepEqual(await ids(`filter[task]=${task}&filter[state]=SUCCESS`), [])
  const times = (await corvus.call('GET', 'tasks/runs?sort=-created_at')).body.data.map(
    (run: { created_at: string }) => run.created_at,
  )
  assert.deepEqual(times, [...times].sort().reverse())
})

test('reading needs "read tasks" and starting or stopping "modify tasks"', async () => {
  const task = await makeTask()
  const reader = await corvus.tokenFor(['read tasks'])
  const writer = await corvus.tokenFor(['modify tasks'])
  assert.equal((await corvus.call('GET', 'tasks/runs', undefined, reader)).status, 200)
  assert.equal((await corvus.call('GET', 'tasks/runs', undefined, writer)).status, 403)
  assert.equal((await corvus.call('POST', 'tasks/runs', { task }, reader)).status, 403)
  const { id } = (await corvus.call('POST', 'tasks/runs', { task }, writer)).body.data
  const refused = await corvus.call('DELETE', `tasks/runs/${id}`, undefined, reader)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [modify tasks]'])
  assert.equal((await corvus.call('DELETE', `tasks/runs/${id}`, undefined, writer)).status, 204)
})

test('parameters, log and result of a run are visible to its starter and to users who manage tasks', async () => {
  const task = await makeTask()
  const reader = await corvus.tokenFor(['read tasks'])
  const manager = await corvus.tokenFor(['read tasks', 'modify tasks'])
  const self = (await corvus.call('GET', 'users/self', undefined, reader)).body.data.id
  const insert = async (owner: number | null) => {
    const { rows } = await corvus.pool.query(
      `insert into task_runs (id, task, parameters, state, result, error_detail, log, created_by, started_at, ended_at)
      values (gen_random_uuid(), $1, '{"query": "title:secret", "tags": ["hidden"]}', 'FAILURE', '{"deleted": 7}', 'the reason', '{one line}', $2, now(), now())
      returning id`,
      [task, owner],
    )
    return rows[0].id as string
  }
  const [own, foreign, scheduled] = [await insert(self), await insert(1), await insert(null)]
  const shown = async (id: string, token: string) => {
    const { parameters, result, error_detail, log, has_hidden_details, state } = (
      await corvus.call('GET', `tasks/runs/${id}`, undefined, token)
    ).body.data
    assert.equal(state, 'FAILURE')
    return [parameters, result, error_detail, log, has_hidden_details]
  }
  const all = [{ query: 'title:secret', tags: ['hidden'] }, { deleted: 7 }, 'the reason', ['one line'], false]
  const none = [{}, null, null, [], true]
  assert.deepEqual(await shown(own, reader), all)
  assert.deepEqual(await shown(foreign, reader), none)
  assert.deepEqual(await shown(scheduled, reader), none)
  for (const id of [own, foreign, scheduled]) assert.deepEqual(await shown(id, manager), all)

  const found = async (query: string, token: string) =>
    (await corvus.call('GET', `tasks/runs?filter[task]=${task}&${query}&attributes=id`, undefined, token)).body.data
      .map(({ id }: { id: string }) => id)
      .toSorted()
  for (const query of [
    'filter[parameters.query]=title:secret',
    'filter[parameters.tags]=hidden',
    'filter[result.deleted]=7',
    'filter[>=result.deleted]=5',
    'filter[error_detail]=the reason',
    'filter[!error_detail]=null',
    'filter[log]=one line',
  ]) {
    assert.deepEqual(await found(query, reader), [own], query)
    assert.deepEqual(await found(query, manager), [own, foreign, scheduled].toSorted(), query)
  }
  await corvus.pool.query(`update task_runs set error_detail = 'aaa' where id = $1`, [scheduled])
  const sorted = await corvus.call('GET', `tasks/runs?filter[task]=${task}&sort=error_detail`, undefined, reader)
  assert.deepEqual(
    sorted.body.data.map(({ id }: { id: string }) => id),
    [own, ...[foreign, scheduled].toSorted()],
    'hidden values have no order',
  )
})

test('a worker executes a run that was started over the API', async () => {
  await sql`delete from task_runs`.execute(corvus.db)
  const task = await makeTask()
  const { id } = (await corvus.call('POST', 'tasks/runs', { task })).body.data
  const log = pino({ level: 'silent' })
  const worker = await startBackground({
    server: bareServer(corvus),
    connection: { connectionString: corvus.url },
    log,
  })
  const read = async () => (await corvus.call('GET', `tasks/runs/${id}`)).body.data
  while ((await read()).ended_at === null) await new Promise((resolve) => setTimeout(resolve, 50))
  const { state, progress, result } = await read()
  assert.deepEqual([state, progress], ['SUCCESS', 1])
  assert.deepEqual(Object.keys(result.removed), [
    'words',
    'tokens',
    'sessions',
    'ai_requests',
    'ai_summaries',
    'playbook_runs',
    'framework_loads',
    'password_resets',
  ])
  assert.equal((await corvus.call('GET', `tasks/${task}`)).body.data.last_run, `${BASE}/api/v2/tasks/runs/${id}`)
  await worker.stop()
})
