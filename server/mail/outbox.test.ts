import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { configureMail, mailsTo, makeUser, startMailServer, startMailWorker, stopMailWorkers } from '../../test/mail.ts'
import { startProcess } from '../../test/process.ts'

const SECRET_KEY = 'a key that both processes are started with'

let corvus: Awaited<ReturnType<typeof startApp>>
let smtp: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_SECRET_KEY: SECRET_KEY } })
  smtp = await startMailServer({
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('refused') ? done(Object.assign(new Error('no'), { responseCode: 550 })) : done(),
  })
})
after(async () => {
  await stopMailWorkers()
  await corvus.stop()
  await smtp.stop()
})
beforeEach(() => configureMail(corvus, smtp.port))

let counter = 0

/** Creates a user, and queues an email to them. */
async function queue(prefix = 'user') {
  const id = await makeUser(corvus, `${prefix}-${++counter}`)
  const { status } = await corvus.call('POST', `users/${id}/invite`)
  assert.equal(status, 201)
  return id
}

const mailTo = async (id: number) => {
  const [mail] = await mailsTo(corvus, id)
  assert.ok(mail)
  return mail
}

async function mailInState(id: number, state: string) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(30)) {
    const mail = await mailTo(id)
    if (mail.state === state) return mail
  }
  return assert.fail(`The mail is ${(await mailTo(id)).state}.`)
}

const runIdOf = ({ task_run }: { task_run: string }) => task_run.split('/').at(-1)

/** A run once it has ended, which is recorded after its effects. */
async function endedRun(id: string | undefined) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(30)) {
    const { data } = (await corvus.call('GET', `tasks/runs/${id}`)).body
    if (data.ended_at !== null) return data
  }
  return assert.fail('The run does not end.')
}

/** Tests cannot wait as long as a mail server may be unavailable. */
const hasten = (run: string | undefined) =>
  corvus.pool.query('update jobs.job set start_after = now() where id = $1', [run])

test('a mail waits, encrypted, until a worker sends it; then its content is deleted', async () => {
  const id = await queue()
  const [stored] = (await corvus.pool.query('select * from mails where "user" = $1', [id])).rows
  assert.ok(stored.content.length > 100)
  assert.ok(!JSON.stringify(stored).includes('password-reset#'))
  assert.equal((await mailTo(id)).state, 'WAITING')
  const worker = await startMailWorker(corvus)
  await smtp.until(1)
  const mail = await mailInState(id, 'SENT')
  assert.equal(mail.error_detail, null)
  const [sent] = (await corvus.pool.query('select * from mails where "user" = $1', [id])).rows
  assert.equal(sent.content, null)
  const run = await endedRun(runIdOf(mail))
  assert.deepEqual([run.state, run.result, run.created_by], ['SUCCESS', { sent: 1, refused: 0 }, null])
  await worker.stop()
})

test('waiting mails are sent by one run, and a run that has started takes no more', async () => {
  const [first, second] = [await queue(), await queue()]
  assert.equal((await mailTo(first)).task_run, (await mailTo(second)).task_run)
  await corvus.pool.query(`update task_runs set state = 'STARTED' where id = $1`, [runIdOf(await mailTo(first))])
  const third = await queue()
  assert.notEqual((await mailTo(third)).task_run, (await mailTo(first)).task_run)
  await corvus.pool.query(`update task_runs set state = 'SENT' where state = 'STARTED'`)
  const worker = await startMailWorker(corvus)
  await smtp.until(3)
  await worker.stop()
})

test('a waiting run does not start before a mail that joins it is committed', async () => {
  const first = await queue()
  const client = await corvus.pool.connect()
  await client.query('begin')
  await client.query(`select from task_runs where id = $1 for share`, [runIdOf(await mailTo(first))])
  const worker = await startMailWorker(corvus)
  await sleep(2500)
  assert.equal(smtp.received.length, 0)
  await client.query('commit')
  client.release()
  await smtp.until(1)
  await worker.stop()
})

test('mails of a request that fails are not sent', async () => {
  const before = (await corvus.call('GET', 'mails?data=false')).body.total_count
  const id = await makeUser(corvus, 'undecided', { password: 'Correct horse 1!' })
  assert.equal((await corvus.call('POST', `users/${id}/invite`)).status, 409)
  assert.equal((await corvus.call('GET', 'mails?data=false')).body.total_count, before)
})

test('an address that the server refuses is not retried, and the others are sent', async () => {
  const [refused, taken] = [await queue('refused'), await queue()]
  const worker = await startMailWorker(corvus)
  assert.deepEqual(
    (await smtp.until(1)).map(({ to }) => to),
    [[`user-${counter}@example.org`]],
  )
  await mailInState(taken, 'SENT')
  const mail = await mailInState(refused, 'FAILED')
  assert.equal(mail.error_detail, "The mail server rejected the recipient's address. It answered 550.")
  const run = await endedRun(runIdOf(mail))
  assert.deepEqual([run.state, run.result], ['WARNING', { sent: 1, refused: 1 }])
  await worker.stop()
})

test('while the server is unavailable a mail waits with a visible reason, and is sent when the server is back', async () => {
  const away = await startMailServer()
  await away.stop()
  await configureMail(corvus, away.port, { password: 'very secret', username: 'corvus' })
  const id = await queue()
  const worker = await startMailWorker(corvus)
  const run = runIdOf(await mailTo(id))
  for (let state = ''; state !== 'RETRY'; await sleep(30)) {
    state = (await corvus.call('GET', `tasks/runs/${run}`)).body.data.state
  }
  const mail = await mailTo(id)
  assert.equal(mail.state, 'WAITING')
  assert.equal(mail.error_detail, `The mail server 127.0.0.1:${away.port} cannot be reached (ECONNREFUSED).`)
  await configureMail(corvus, smtp.port)
  await hasten(run)
  await smtp.until(1)
  await mailInState(id, 'SENT')
  await worker.stop()
})

test('after the last attempt a mail fails, and its content is deleted', async () => {
  const away = await startMailServer()
  await away.stop()
  await configureMail(corvus, away.port)
  const id = await queue()
  const run = runIdOf(await mailTo(id))
  await corvus.pool.query('update jobs.job set retry_count = retry_limit where id = $1', [run])
  const worker = await startMailWorker(corvus)
  const mail = await mailInState(id, 'FAILED')
  assert.match(mail.error_detail ?? '', /cannot be reached/)
  for (let state = ''; state !== 'FAILURE'; await sleep(30)) {
    state = (await corvus.call('GET', `tasks/runs/${run}`)).body.data.state
  }
  const { rows } = await corvus.pool.query('select content from mails where "user" = $1', [id])
  assert.deepEqual(rows, [{ content: null }])
  await worker.stop()
})

test('a run that is stopped sends nothing, and the next one deletes the content of its mails', async () => {
  const stopped = await queue()
  const mail = await mailTo(stopped)
  assert.equal((await corvus.call('DELETE', `tasks/runs/${runIdOf(mail)}`)).status, 204)
  assert.equal((await mailTo(stopped)).state, 'FAILED')
  const next = await queue()
  const worker = await startMailWorker(corvus)
  await mailInState(next, 'SENT')
  assert.equal((await smtp.until(1)).length, 1)
  const { rows } = await corvus.pool.query('select content from mails where "user" = $1', [stopped])
  assert.deepEqual(rows, [{ content: null }])
  await worker.stop()
})

test('a user who was locked in the meantime gets no mail', async () => {
  const id = await queue()
  await corvus.call('PATCH', `users/${id}`, { data: { is_locked: true } })
  const worker = await startMailWorker(corvus)
  const { error_detail } = await mailInState(id, 'FAILED')
  assert.equal(error_detail, 'The user is locked, is not active, or has no e-mail address any more.')
  assert.equal(smtp.received.length, 0)
  await worker.stop()
})

test('a mail survives the kill of the process that was sending it', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const hanging = await startMailServer({ onData: () => asked() })
  await configureMail(corvus, hanging.port)
  const id = await queue()
  const run = runIdOf(await mailTo(id))
  await corvus.pool.query('update jobs.job set heartbeat_seconds = 4 where id = $1', [run])
  const { child } = await startProcess(corvus.config.dataFolder, {
    DATABASE_URL: corvus.url,
    CORVUS_SECRET_KEY: SECRET_KEY,
    CORVUS_LOG_LEVEL: 'silent',
  })
  await isAsked
  child.kill('SIGKILL')
  await once(child, 'exit')
  await configureMail(corvus, smtp.port)
  const worker = await startMailWorker(corvus)
  for (let state = ''; state !== 'RETRY'; await sleep(100)) {
    state = (await corvus.call('GET', `tasks/runs/${run}`)).body.data.state
  }
  await hasten(run)
  const [mail] = await smtp.until(1)
  assert.deepEqual(mail?.to, [`user-${counter}@example.org`])
  await mailInState(id, 'SENT')
  await worker.stop()
  await hanging.stop()
})

test('mails are visible to users who may read configurations, and their content to nobody', async () => {
  const token = await corvus.tokenFor(['read configurations'])
  const { body } = await corvus.call('GET', 'mails?limit=1', undefined, token)
  assert.deepEqual(Object.keys(body.data[0]).sort(), [
    'created_at',
    'error_detail',
    'id',
    'kind',
    'sent_at',
    'state',
    'task_run',
    'user',
  ])
})

test('if the task is inactive, nothing is queued', async () => {
  const { body } = await corvus.call('GET', 'tasks?filter[name]=Mail')
  await corvus.call('PATCH', `tasks/${body.data[0].id}`, { data: { is_active: false } })
  const id = await makeUser(corvus, 'unheard')
  assert.equal((await corvus.call('POST', `users/${id}/invite`)).status, 409)
  await corvus.call('PATCH', `tasks/${body.data[0].id}`, { data: { is_active: true } })
})
