import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { catchUp, serverOf, untilReadable } from '../../test/followers.ts'
import { configureMail, makeUser, startMailServer, startMailWorker } from '../../test/mail.ts'
import { startCounting } from '../../test/set-up/counting.ts'
import { notifications } from './notifications.ts'

const PERMISSIONS = ['tickets', 'ticket-comments', 'workspaces', 'workspace-comments', 'tasks', 'users']

let corvus: Awaited<ReturnType<typeof startApp>>
let smtp: Awaited<ReturnType<typeof startMailServer>>
let worker: Awaited<ReturnType<typeof startMailWorker>>
const roles: Record<string, number> = {}
before(async () => {
  corvus = await startApp()
  smtp = await startMailServer()
  worker = await startMailWorker(corvus)
  await configureMail(corvus, smtp.port)
  for (const left of [...PERMISSIONS, 'nothing']) roles[left] = await roleWithout(left)
})
after(async () => {
  await worker.stop()
  await corvus.stop()
  await smtp.stop()
})
beforeEach(() => smtp.received.splice(0))

/** A role that may read everything here except one thing. */
async function roleWithout(left: string): Promise<number> {
  const { body } = await corvus.call('GET', 'permissions?limit=1000')
  const names = PERMISSIONS.filter((name) => name !== left).map((name) => `read ${name}`)
  const permissions = body.data
    .filter(({ name }: { name: string }) => names.includes(name))
    .map(({ id }: { id: number }) => id)
  const made = await corvus.call('POST', 'roles', { data: { name: `all but ${left}`, permissions } })
  return made.body.data.id
}

let counter = 0

/** A user who may read what is needed here, unless something is left out. */
const person = (rest: object = {}, left = 'nothing') =>
  makeUser(corvus, `person-${++counter}`, { roles: [roles[left]], ...rest })

const addressOf = async (id: number) => (await corvus.call('GET', `users/${id}`)).body.data.email

async function make(path: string, data: object): Promise<number> {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** The emails sent so far to each address. One user is notified about everything, which shows when all have arrived. */
async function heard(): Promise<Map<string, string>> {
  const last = await person()
  await make('tickets', { name: `the last ticket ${counter}`, assignee: last })
  const end = await addressOf(last)
  const mails = smtp.received
  while (!mails.some(({ to }) => to.includes(end)))
    await smtp.until(mails.length + 1).then((more) => mails.push(...more))
  const others = mails.splice(0).filter(({ to }) => !to.includes(end))
  assert.equal(new Set(others.map(({ to }) => to[0])).size, others.length, 'one mail each')
  return new Map(others.map(({ to, text }) => [to[0] ?? '', text]))
}

test('users are notified when a ticket is created for them or assigned to them, with a link', async () => {
  const [first, second] = [await person(), await person()]
  const { body } = await corvus.call('GET', 'users/self')
  const id = await make('tickets', { name: 'Look at <this> & "that"', assignee: first })
  let mails = await heard()
  assert.deepEqual([...mails.keys()], [await addressOf(first)])
  const text = mails.get(await addressOf(first)) ?? ''
  assert.ok(text.includes(`${body.data.username} assigned the ticket ‘Look at <this> & "that"’ to you.`), text)
  assert.ok(text.includes('<p>') && text.includes('‘Look at &lt;this&gt; &amp; &quot;that&quot;’'), text)
  assert.ok(text.includes(`<a href="http://corvus.test/tickets/${id}">`), text)
  await corvus.call('PATCH', `tickets/${id}`, { data: { assignee: second } })
  mails = await heard()
  assert.deepEqual([...mails.keys()], [await addressOf(second)])
})

test('a ticket that is updated with the same assignee sends no notification', async () => {
  const id = await person()
  const ticket = await make('tickets', { name: 'Steady', assignee: id })
  await heard()
  await corvus.call('PATCH', `tickets/${ticket}`, { data: { status: 'CLOSED' } })
  await corvus.call('PATCH', `tickets/${ticket}`, { data: { assignee: id, priority: 'HIGH' } })
  await corvus.call('PUT', 'tickets', { data: [{ name: 'Steady', assignee: id }] })
  assert.deepEqual([...(await heard()).keys()], [])
})

test('many tickets at once are one mail, which lists the first hundred', async () => {
  const [busy, other] = [await person(), await person()]
  const data = Array.from({ length: 120 }, (_, i) => ({
    name: `bulk ${String(i).padStart(3, '0')}`,
    assignee: i === 0 ? other : busy,
  }))
  assert.equal((await corvus.call('PUT', 'tickets', { data })).status, 201)
  const mails = await heard()
  assert.equal(mails.size, 2)
  const text = mails.get(await addressOf(busy)) ?? ''
  assert.match(text, /^Subject: 119 notifications/m)
  assert.ok(text.includes('‘bulk 100’') && !text.includes('‘bulk 101’') && text.includes('And 19 more.'))
  assert.ok(mails.get(await addressOf(other))?.includes('‘bulk 000’'))
})

test('notifications of several waiting requests are one mail', async () => {
  const id = await person()
  await worker.stop()
  const ticket = await make('tickets', { name: 'Busy', assignee: id })
  await make(`tickets/${ticket}/comments`, { text: 'one' })
  await make(`tickets/${ticket}/comments`, { text: 'two' })
  worker = await startMailWorker(corvus)
  const text = (await heard()).get(await addressOf(id)) ?? ''
  assert.match(text, /^Subject: 3 notifications/m)
  assert.equal(text.match(/commented on the ticket ‘Busy’\.\r?\n/g)?.length, 2)
})

test('a ticket that is reassigned before the mails are queued notifies each of its assignees', async () => {
  const [first, second] = [await person(), await person()]
  await worker.stop()
  const ticket = await make('tickets', { name: 'Passed on', assignee: first })
  await corvus.call('PATCH', `tickets/${ticket}`, { data: { assignee: second } })
  worker = await startMailWorker(corvus)
  const addresses = await Promise.all([first, second].map(addressOf))
  assert.deepEqual([...(await heard()).keys()].sort(), addresses.sort())
})

test('the number of statements does not depend on the number of recipients', async () => {
  const watched = await startCounting()
  try {
    await configureMail(watched, smtp.port)
    const server = await serverOf(watched)
    const role = (await watched.call('GET', 'roles?filter[name]=System Admin')).body.data[0].id
    const people: number[] = []
    for (let i = 0; i < 20; i++) people.push(await makeUser(watched, `crowd-${i}`, { roles: [role] }))
    const write = async (name: string, stakeholders: number[]) => {
      const { body } = await watched.call('POST', 'tickets', { data: { name, stakeholders } })
      await watched.pool.query('delete from task_runs')
      await watched.call('POST', `tickets/${body.data.id}/comments`, { data: { text: 'x' } })
      await untilReadable(watched.db)
      return watched.statementsOf(() => catchUp(server, notifications))
    }
    assert.equal(await write('few', people.slice(0, 2)), await write('many', people))
    assert.equal((await watched.call('GET', 'mails?data=false')).body.total_count, 20)
  } finally {
    await watched.stop()
  }
})

test('participants of a ticket or a workspace are notified about comments, without their text', async () => {
  const [assignee, stakeholder, collaborator, bystander] = [
    await person(),
    await person(),
    await person(),
    await person(),
  ]
  assert.ok(bystander)
  const ticket = await make('tickets', { name: 'Talked about', assignee, stakeholders: [stakeholder] })
  const workspace = await make('workspaces', { name: 'Talked in', collaborators: [collaborator] })
  await heard()
  await make(`tickets/${ticket}/comments`, { text: 'whispered' })
  await make(`workspaces/${workspace}/comments`, { text: 'whispered' })
  const mails = await heard()
  const addresses = await Promise.all([assignee, stakeholder, collaborator].map(addressOf))
  assert.deepEqual([...mails.keys()].sort(), addresses.sort())
  assert.ok(mails.get(await addressOf(stakeholder))?.includes('commented on the ticket ‘Talked about’.'))
  assert.ok(mails.get(await addressOf(collaborator))?.includes('commented on the workspace ‘Talked in’.'))
  assert.ok(![...mails.values()].some((text) => text.includes('whispered')))
})

test('updating or deleting a comment sends no notification', async () => {
  const id = await person()
  const ticket = await make('tickets', { name: 'Quiet', stakeholders: [id] })
  const comment = await make(`tickets/${ticket}/comments`, { text: 'one' })
  await heard()
  await corvus.call('PATCH', `tickets/${ticket}/comments/${comment}`, { data: { text: 'two' } })
  await corvus.call('DELETE', `tickets/${ticket}/comments/${comment}`)
  assert.deepEqual([...(await heard()).keys()], [])
})

test('users are not notified about their own actions', async () => {
  const { body } = await corvus.call('GET', 'users/self')
  await corvus.pool.query('update users set email = $1 where id = $2', ['self@example.org', body.data.id])
  const ticket = await make('tickets', { name: 'Mine', assignee: body.data.id })
  await make(`tickets/${ticket}/comments`, { text: 'to myself' })
  assert.deepEqual([...(await heard()).keys()], [])
})

test('users are not notified about objects that they cannot see', async () => {
  const denied = [await person({}, 'tickets'), await person({}, 'ticket-comments')]
  const ticket = await make('tickets', { name: 'Unread', assignee: denied[0], stakeholders: [denied[1]] })
  await make(`tickets/${ticket}/comments`, { text: 'x' })
  const hidden = await make('workspaces', { name: 'Hidden', collaborators: [await person({}, 'workspaces')] })
  await make(`workspaces/${hidden}/comments`, { text: 'x' })
  assert.deepEqual([...(await heard()).keys()], [])
})

test('users without the permission to read users do not see who did it', async () => {
  const id = await person({}, 'users')
  await make('tickets', { name: 'Anonymous', assignee: id })
  const text = (await heard()).get(await addressOf(id))
  assert.ok(text?.includes('A user assigned the ticket ‘Anonymous’ to you.'), text)
})

test('locked or inactive users, and users without an address, are not notified', async () => {
  for (const rest of [{ is_locked: true }, { is_active: false }, { email: '' }]) {
    await make('tickets', { name: `for ${JSON.stringify(rest)}`, assignee: await person(rest) })
  }
  assert.deepEqual([...(await heard()).keys()], [])
})

test('the starter of a run is notified once if it fails', async () => {
  const [starter, unable] = [await person(), await person({}, 'tasks')]
  const fail = (user: number | null, state = 'FAILURE') =>
    corvus.pool.query(
      `insert into task_runs (id, task, state, ended_at, created_by)
      select gen_random_uuid(), id, $2, now(), $1 from tasks where name = 'Housekeeping'`,
      [user, state],
    )
  for (const user of [starter, unable, null]) await fail(user)
  await fail(starter, 'SUCCESS')
  for (;;) {
    const { rows } = await corvus.pool.query(`select from task_runs where state = 'FAILURE' and not is_told`)
    if (rows.length === 0) break
  }
  const mails = await heard()
  assert.deepEqual([...mails.keys()], [await addressOf(starter)])
  const text = mails.get(await addressOf(starter)) ?? ''
  assert.match(text, /^A run of the task ‘Housekeeping’ that you started has failed\./m)
  assert.match(text, /http:\/\/corvus\.test\/tasks\/runs\/[\w-]{36}\r?\n/)
  assert.deepEqual([...(await heard()).keys()], [])
})

test('without a mail server nothing is queued, and everything else works', async () => {
  await configureMail(corvus, smtp.port, { host: null })
  const count = async () => (await corvus.call('GET', 'mails?data=false')).body.total_count
  const before = await count()
  const ticket = await make('tickets', { name: 'Unheard', assignee: await person() })
  await make(`tickets/${ticket}/comments`, { text: 'x' })
  assert.equal(await count(), before)
  await configureMail(corvus, smtp.port)
})
