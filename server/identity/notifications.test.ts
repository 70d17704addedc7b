import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { catchUp, serverOf, untilReadable } from '../../test/followers.ts'
import { configureMail, mailsTo } from '../../test/mail.ts'
import { notifications } from '../mail/notifications.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let token: string
let id: number
before(async () => {
  corvus = await startApp()
  await configureMail(corvus, 25)
  const things = ['tickets', 'ticket-comments', 'tasks']
  token = await corvus.tokenFor(things.map((thing) => `read ${thing}`))
  id = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  await corvus.call('PATCH', `users/${id}`, { data: { email: 'ada@example.org' } })
})
after(() => corvus.stop())

const PATH = 'users/self/notifications'
const get = async (who = token) => (await corvus.call('GET', PATH, undefined, who)).body.data
const set = (data: unknown) => corvus.call('PATCH', PATH, { data }, token)
const ALL = {
  ticket_assigned: true,
  comment_added: true,
  task_run_failed: true,
  feed_stale: true,
  enricher_suspended: true,
  detonator_suspended: true,
  detonation_ended: true,
  entity_discovered: true,
  playbook_failed: true,
  playbook_paused: true,
  playbook_notified: true,
}

test('all notifications are on by default and each user chooses their own', async () => {
  assert.deepEqual(await get(), ALL)
  const { status, body } = await set({ comment_added: false })
  assert.deepEqual([status, body.data], [200, { ...ALL, comment_added: false }])
  assert.deepEqual((await set({ task_run_failed: false })).body.data, {
    ...ALL,
    comment_added: false,
    task_run_failed: false,
  })
  assert.deepEqual(await get(corvus.admin), ALL)
  assert.deepEqual((await set(ALL)).body.data, ALL)
  assert.deepEqual(await get(), ALL)
})

test('concurrent changes are both kept', async () => {
  await Promise.all([set({ comment_added: false }), set({ ticket_assigned: false })])
  assert.deepEqual(await get(), { ...ALL, ticket_assigned: false, comment_added: false })
  await set(ALL)
})

test('preferences must be true or false', async () => {
  const { status, body } = await set({ comment_added: 'no', ticket_assigned: null })
  assert.equal(status, 400)
  assert.equal(body.length, 2)
  assert.equal((await set({ anything: true })).status, 200)
})

/** Lets the emails about all writes be queued. */
async function notify(): Promise<void> {
  await untilReadable(corvus.db)
  await catchUp(await serverOf(corvus), notifications)
}

test('notifications that are switched off are not mailed', async () => {
  const happen = async (name: string) => {
    const before = (await mailsTo(corvus, id)).length
    const made = await corvus.call('POST', 'tickets', { data: { name, assignee: id } })
    await notify()
    const afterTicket = (await mailsTo(corvus, id)).length
    await corvus.call('POST', `tickets/${made.body.data.id}/comments`, { data: { text: 'x' } })
    await notify()
    return [afterTicket - before, (await mailsTo(corvus, id)).length - afterTicket]
  }
  assert.deepEqual(await happen('all'), [1, 1])
  await set({ ticket_assigned: false })
  assert.deepEqual(await happen('no tickets'), [0, 1])
  await set({ ticket_assigned: true, comment_added: false })
  assert.deepEqual(await happen('no comments'), [1, 0])
})
