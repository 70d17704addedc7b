import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { openVault } from '../../identity/access/vault.ts'
import { withSecret } from './step-secrets.ts'

const corvus = await startApp()
after(() => corvus.stop())
const vault = await openVault(corvus.config)

const SECRET = 'a secret of enough length'
const TOKEN = '<PASS_THROUGH_TOKEN>'
const step = (more: object) => ({ id: 'tell', kind: 'webhook', url: 'https://siem.example/a', ...more })
const playbook = (more: object) => ({ name: 'Tells', trigger: { type: 'manual' }, steps: [step(more)] })

/** What the call of the stored playbook would sign with. */
async function used(): Promise<unknown> {
  const { rows } = await corvus.pool.query('select steps, step_secrets from playbooks')
  const [{ steps, step_secrets }] = rows
  return withSecret(vault, steps[0], step_secrets).secret
}

test('the secret of a step is in no response, no version and no log of changes, and stays when the playbook is saved', async () => {
  const made = await corvus.call('POST', 'playbooks', { data: playbook({ secret: SECRET }) })
  assert.deepEqual([made.status, made.body.data?.steps[0].secret], [201, TOKEN], JSON.stringify(made.body))
  assert.equal(await used(), SECRET)
  const { id, steps } = made.body.data
  for (const [method, path, body] of [
    ['PATCH', `playbooks/${id}`, { steps }],
    ['PATCH', `playbooks/${id}`, { description: 'Kept' }],
    ['PUT', 'playbooks', { ...playbook({}), steps }],
    ['PUT', 'playbooks', playbook({ secret: TOKEN, url: 'https://siem.example/b' })],
  ] as const) {
    const { status, body: answer } = await corvus.call(method, path, { data: body })
    assert.deepEqual([status, answer.data?.steps[0].secret], [200, TOKEN], JSON.stringify(answer))
    assert.equal(await used(), SECRET)
  }
  for (const table of ['playbooks', 'playbook_versions', 'changes']) {
    const { rows } = await corvus.pool.query(`select row_to_json(t)::text as text from ${table} as t`)
    assert.ok(!rows.some(({ text }) => text.includes(SECRET)), table)
  }
})

test('a stored secret goes to no other server, and null forgets it', async () => {
  const { status, body } = await corvus.call('PUT', 'playbooks', {
    data: playbook({ secret: TOKEN, url: 'https://other.example/' }),
  })
  assert.equal(status, 400)
  assert.equal(body[0].detail, 'steps[0].secret: must be given again, because it would go to another server')
  const forgotten = await corvus.call('PUT', 'playbooks', { data: playbook({ secret: null }) })
  assert.deepEqual([forgotten.status, forgotten.body.data.steps[0].secret], [200, null])
  assert.equal(await used(), null)
})
