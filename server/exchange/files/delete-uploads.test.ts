import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { BASE } from '../../../test/app.ts'
import { bareServer } from '../../../test/background.ts'
import { base64, corvus, post } from '../../../test/set-up/files.ts'
import { startBackground } from '../../background.ts'
import { openBlobs } from '../../ports/blobs-open.ts'
import { resourceMap } from '../../registry.ts'
import { taskTypes } from '../../tasks.ts'

const worker = await startBackground({
  server: { ...bareServer(corvus), resources: resourceMap, blobs: openBlobs(corvus.config) },
  connection: { connectionString: corvus.url },
  log: pino({ level: 'silent' }),
  types: new Map([...taskTypes].filter(([type]) => type === 'delete-uploads')),
})
after(() => worker.stop())

const uploaded = async () => (await post({ name: randomUUID(), data: base64('x'), process: false })).id as number

/** An entity with an observable that a file imported, or only mentions. */
async function entity(file: number, { isNew = true, value = `${randomUUID()}.example` } = {}) {
  const item = { data: { type: 'report', title: 'brought' }, observables: [{ type: 'domain', value }] }
  const made = await corvus.call('POST', 'entities', { data: item })
  const observable = Number(made.body.data.observables[0].split('/').at(-1))
  await link(file, made.body.data.id, observable, isNew)
  return { id: made.body.data.id as string, observable }
}

async function link(file: number, entityId: string, observable: number, isNew: boolean) {
  await corvus.pool.query('insert into file_entities values ($1, $2, $3)', [file, entityId, isNew])
  await corvus.pool.query('insert into file_observables values ($1, $2, $3)', [file, observable, isNew])
}

const status = async (path: string) => (await corvus.call('GET', path)).status

async function done(body: Record<string, unknown>) {
  const answer = await corvus.call('POST', 'files/delete-uploads', { data: body })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  const path = answer.body.data.task_run.slice(BASE.length)
  for (;;) {
    const { data } = (await corvus.call('GET', path)).body
    if (data.ended_at !== null) return data
    await sleep(20)
  }
}

test('deleting uploads deletes only the files by default', async () => {
  const [first, second] = [await uploaded(), await uploaded()]
  const { id, observable } = await entity(first)
  const { status: answered } = await corvus.call('POST', 'files/delete-uploads', { ids: [first, second, first] })
  assert.equal(answered, 204)
  assert.deepEqual([await status(`files/${first}`), await status(`files/${second}`)], [404, 404])
  assert.deepEqual([await status(`entities/${id}`), await status(`observables/${observable}`)], [200, 200])
})

test('objects that came only with these files are deleted, and objects of other files or older ones stay', async () => {
  const [file, other] = [await uploaded(), await uploaded()]
  const own = await entity(file)
  const older = await entity(file, { isNew: false })
  const shared = await entity(file)
  await link(other, shared.id, shared.observable, false)
  const { result, state } = await done({ ids: [file], delete_entities: true, delete_extracts: true })
  assert.deepEqual([state, result], ['SUCCESS', { files: 1, entities: 1, observables: 1 }])
  assert.deepEqual([await status(`entities/${own.id}`), await status(`observables/${own.observable}`)], [404, 404])
  for (const { id, observable } of [older, shared]) {
    assert.deepEqual([await status(`entities/${id}`), await status(`observables/${observable}`)], [200, 200])
  }
  const last = await done({ ids: [other], delete_entities: true })
  assert.deepEqual(last.result, { files: 1, entities: 1, observables: 0 })
  assert.equal(await status(`entities/${shared.id}`), 404)
})

test('observables that remaining entities have are not deleted', async () => {
  const file = await uploaded()
  const { id, observable } = await entity(file)
  const { result } = await done({ ids: [file], delete_extracts: true })
  assert.deepEqual(result, { files: 1, entities: 0, observables: 0 })
  assert.deepEqual([await status(`entities/${id}`), await status(`observables/${observable}`)], [200, 200])
})

test('nothing is deleted if one file is missing or not visible to the caller', async () => {
  const file = await uploaded()
  const refused = await corvus.call('POST', 'files/delete-uploads', { ids: [file, 999_999], delete_entities: true })
  assert.equal(refused.status, 404)
  const token = await corvus.tokenFor(['modify blob-uploads', 'modify entities', 'modify extracts'])
  const unseen = await corvus.call('POST', 'files/delete-uploads', { ids: [file] }, token)
  assert.equal(unseen.status, 404)
  assert.equal(await status(`files/${file}`), 200)
  for (const body of [{}, { ids: [] }, { ids: ['x'] }, { ids: [file], delete_entities: 'yes' }]) {
    assert.equal((await corvus.call('POST', 'files/delete-uploads', body)).status, 400, JSON.stringify(body))
  }
})

test('it needs the permission for each thing that it deletes', async () => {
  const token = await corvus.tokenFor(['modify blob-uploads', 'modify files', 'read files'])
  const { id } = await post({ name: 'own', data: base64('own'), process: false }, token)
  const call = (body: Record<string, unknown>) => corvus.call('POST', 'files/delete-uploads', body, token)
  const all = await call({ ids: [id], delete_entities: true, delete_extracts: true })
  assert.deepEqual([all.status, all.body[0].detail], [403, 'Missing permissions: [modify entities, modify extracts]'])
  assert.equal((await call({ ids: [id] })).status, 204)
})

test('entities can be filtered by their file', async () => {
  const file = await uploaded()
  const { id } = await entity(file)
  const found = await corvus.call('GET', `entities?filter[files]=${file}`)
  assert.deepEqual(
    found.body.data.map((each: { id: string }) => each.id),
    [id],
  )
  const url = `${BASE}/api/v2/entities/${id}`
  assert.deepEqual((await corvus.call('GET', `files/${file}`)).body.data.entities, [url])
  assert.deepEqual((await corvus.call('GET', `files/${file}/entities`)).body.data, [url])
  assert.equal((await corvus.call('POST', `files/${file}/entities`, { data: [id] })).status, 405)
  const token = await corvus.tokenFor(['read entities', 'read files'])
  const unseen = await corvus.call('GET', `entities?filter[files]=${file}&data=false`, undefined, token)
  assert.equal(unseen.body.total_count, 0)
  assert.equal((await corvus.call('DELETE', `entities/${id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `files/${file}`)).body.data.entities, [])
})
