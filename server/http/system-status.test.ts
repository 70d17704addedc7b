import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { until } from '../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('the system status covers process, database, queue, blobs and mail', async () => {
  await corvus.pool.query(`insert into stored_blobs (key, size, sha1, md5, claimed_until)
    values (repeat('a', 64), 1000, '', '', now()), (repeat('b', 64), 24, '', '', now())`)
  const before = (await corvus.call('GET', 'system/status')).body.data
  await corvus.pool.query(`insert into task_runs (id, task, state, created_at)
    select gen_random_uuid(), id, 'SENT', now() - interval '1 hour' from tasks limit 1`)
  const { status, body } = await corvus.call('GET', 'system/status')
  assert.equal(status, 200)
  assert.match(body.data.node_version, /^v\d+/)
  assert.match(body.data.database.version, /^\d+/)
  assert.ok(body.data.database.size_bytes > 1_000_000)
  assert.deepEqual(body.data.blobs, { count: 2, size_bytes: 1024 })
  assert.deepEqual(body.data.mails, { waiting: 0, failed: 0 })
  assert.equal(body.data.queue.waiting, before.queue.waiting + 1)
  assert.ok(body.data.queue.longest_wait_seconds >= 3600)
})

test('the system status and the metrics show what detonators and playbooks have to do', async () => {
  const { pool } = corvus
  const { rows } = await pool.query('select id from detonators order by id limit 1')
  await pool.query(
    `insert into detonations (detonator, key, kind, state, due_at, claim, claimed_until) values
      ($1, 'a', 'url', 'WAITING', now() - interval '1 hour', null, null),
      ($1, 'b', 'url', 'WAITING', now() + interval '1 hour', null, null),
      ($1, 'c', 'url', 'RUNNING', now() - interval '2 hours', gen_random_uuid(), now() + interval '1 hour'),
      ($1, 'd', 'url', 'FINISHED', now() - interval '2 hours', null, null)`,
    [rows[0].id],
  )
  await pool.query(`
    insert into playbooks (id, name, trigger, steps, paused_at)
    values (1, 'runs', '{"type": "manual"}', '[]', null), (2, 'paused', '{"type": "manual"}', '[]', now())`)
  await pool.query(`
    insert into playbook_runs (id, playbook, version, collection, object, occurrence, cause, state, due_at, ended_at)
    select gen_random_uuid(), playbook, 1, 'observables', '1', state || playbook, 'change', state, now() - due, ended
    from (values
      (1, 'PENDING', interval '30 minutes', null::timestamptz), (2, 'PENDING', interval '5 hours', null),
      (1, 'WAITING', interval '-1 hour', null), (1, 'FAILURE', interval '5 hours', now())) as r(playbook, state, due, ended)`)
  const { detonators, playbooks } = (await corvus.call('GET', 'system/status')).body.data
  assert.equal(detonators.length, 1)
  const { oldest_due_seconds: due, ...detonator } = detonators[0]
  assert.partialDeepStrictEqual(detonator, { detonator: rows[0].id, state: 'INACTIVE', waiting: 2, due: 1, running: 1 })
  assert.ok(due >= 3600 && due < 7200, due)
  const own = playbooks.filter(({ playbook }: { playbook: number }) => playbook <= 2)
  assert.partialDeepStrictEqual(own, [
    { playbook: 1, name: 'runs', waiting: 2, due: 1, running: 0 },
    { playbook: 2, name: 'paused', state: 'PAUSED', waiting: 1, due: 1, running: 0 },
  ])
  assert.ok(own[0].oldest_due_seconds >= 1800 && own[0].oldest_due_seconds < 3600)
  const { body } = await corvus.call('GET', '/metrics')
  const name = detonator.name
  assert.match(body, new RegExp(`^corvus_detonator_waiting\\{detonator="${name}"\\} 2$`, 'm'))
  assert.match(body, new RegExp(`^corvus_detonator_running\\{detonator="${name}"\\} 1$`, 'm'))
  assert.match(body, new RegExp(`^corvus_detonator_oldest_due_seconds\\{detonator="${name}"\\} 36\\d\\d`, 'm'))
  assert.match(body, /^corvus_playbook_waiting\{playbook="runs"\} 2$/m)
  assert.match(body, /^corvus_playbook_due\{playbook="paused"\} 1$/m)
  assert.match(body, /^corvus_playbook_oldest_due_seconds\{playbook="runs"\} 18\d\d/m)
})

test('the system status requires permission to read the configuration', async () => {
  const token = await corvus.tokenFor(['read entities'])
  assert.equal((await corvus.call('GET', 'system/status', undefined, token)).status, 403)
})

test('the system status shows how far each follower of the change log has come, and why it fails', async () => {
  await corvus.call('POST', 'tickets', { name: 'Unhandled' })
  await corvus.pool.query(`update followers set failures = 3, last_error = 'boom', failed_at = now()
    where name = 'notifications'`)
  await until(async () => {
    const { body } = await corvus.call('GET', 'system/status')
    const named = (name: string) => body.data.followers.find((each: { name: string }) => each.name === name)
    const [notifications, rules, enrichment, consolidation, passages, webhooks] = [
      'notifications',
      'discovery-rules',
      'enrichment-rules',
      'consolidation',
      'passages',
      'webhooks',
    ].map(named)
    if (notifications.pending_changes === 0) return false
    assert.deepEqual([notifications.instances, notifications.failures, notifications.last_error], [1, 3, 'boom'])
    assert.match(notifications.last_failed_at, /^\d{4}-/)
    assert.deepEqual([rules.failures, rules.last_error], [0, null])
    assert.deepEqual([enrichment.failures, consolidation.failures, passages.failures], [0, 0, 0])
    assert.deepEqual([webhooks.instances, webhooks.position], [0, null])
    return true
  }, 'the change is not readable')
  const { body } = await corvus.call('GET', '/metrics')
  assert.match(body, /^corvus_follower_failures\{follower="notifications"\} 3$/m)
  assert.match(body, /^corvus_follower_pending_changes\{follower="notifications"\} [1-9]/m)
  assert.match(body, /^corvus_follower_lag_seconds\{follower="webhooks"\} 0$/m)
})
