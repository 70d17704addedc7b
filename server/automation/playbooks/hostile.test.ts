import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'

let corvus: Playbooks
before(async () => {
  corvus = await startPlaybooks()
})
after(() => corvus.stop())

const MANUAL = { type: 'manual' }
const GOOD = { name: 'Good', trigger: MANUAL, steps: [{ id: 'end', kind: 'stop' }] }
const WRONG: readonly unknown[] = [7, 'x', true, null, [], {}, [[]], { a: 1 }, -1, '\u0000', [null]]

const put = (data: unknown) => corvus.call('PUT', 'playbooks', { data })
const detailsOf = ({ body }: { body: { detail: string }[] }) => body.map(({ detail }) => detail)

test('a value of a wrong type in any field is refused with the name of the field', async () => {
  for (const field of ['name', 'description', 'is_active', 'trigger', 'steps']) {
    for (const value of WRONG) {
      const answer = await put({ ...GOOD, [field]: value })
      const what = `${field} ${JSON.stringify(value)} ${JSON.stringify(answer.body)}`
      assert.ok(answer.status < 500, what)
      if (answer.status >= 400)
        assert.ok(
          detailsOf(answer).every((detail) => detail.startsWith(`data.${field}`)),
          what,
        )
    }
  }
})

test('a value of a wrong type in any parameter of any step is accepted or refused, and ends in no error', async () => {
  const { data: kinds } = (await corvus.call('GET', 'playbooks/step-kinds')).body
  for (const { kind, parameters } of kinds) {
    for (const field of ['name', 'only_if', 'on_failure', ...Object.keys(parameters.properties ?? {})]) {
      for (const value of WRONG) {
        const { status, body } = await put({ ...GOOD, steps: [{ id: 'one', kind, [field]: value }] })
        assert.ok(status < 500, `${kind} ${field} ${JSON.stringify(value)} ${JSON.stringify(body)}`)
      }
    }
  }
})

test('every wrong parameter is named, also if another step is of no kind that there is', async () => {
  const answer = await put({
    ...GOOD,
    steps: [
      { id: 'first', kind: 'tag', tags: ['a'] },
      { id: 'second', kind: 'dance' },
      { id: 'third', kind: 'webhook', url: 7, max_tlp: 'x' },
    ],
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    detailsOf(answer).map((detail) => detail.split(':')[0]),
    ['data.steps[0].tags', 'data.steps[0].added', 'data.steps[1].kind', 'data.steps[2].url', 'data.steps[2].max_tlp'],
  )
})

test('a step can be called like a member that every object has', async () => {
  for (const id of ['constructor', '__proto__']) {
    const step = { id, kind: 'webhook', url: 'http://127.0.0.1:9/', secret: 'a secret of enough length' }
    const made = await corvus.playbook({ trigger: MANUAL, steps: [step] })
    const again = await corvus.ask('PUT', 'playbooks', { name: made.name, trigger: MANUAL, steps: made.steps })
    assert.equal(again.id, made.id)
    const { rows } = await corvus.pool.query('select step_secrets from playbooks where id = $1', [made.id])
    assert.ok(rows[0].step_secrets !== null, id)
    const entity = await corvus.entity('Members')
    const answer = await corvus.ask('POST', `playbooks/${made.id}/runs`, { entities: [entity.id], dry_run: true })
    assert.equal(answer.dry_run[0].steps[0].outcome, 'delivered')
  }
})

test('a long title that is named a thousand times makes no endless text', async () => {
  const title = '{title}'
  const entity = await corvus.entity('y'.repeat(100_000))
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [
      { id: 'make', kind: 'create_entity', type: 'report', title, description: title.repeat(2800) },
      { id: 'open', kind: 'ticket', title, description: title.repeat(1000) },
      { id: 'end', kind: 'stop', reason: title },
    ],
  })
  await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  await corvus.work()
  const [run] = await corvus.runsOf(playbook)
  assert.equal(run.state, 'SUCCESS', run.reason)
  const [make, open, end] = run.steps
  const { data } = await corvus.ask('GET', `entities/${make.output.entity}`)
  const ticket = await corvus.ask('GET', `tickets/${open.output.ticket}`)
  assert.deepEqual(
    [data.description.length, ticket.description.length, end.output.reason.length],
    [50_000, 50_000, 2000],
  )
  assert.ok(ticket.description.endsWith('\u2026'))
})

test('a title with markup is text in the description of a new entity', async () => {
  const entity = await corvus.entity('<img src=x onerror=alert(1)> & more')
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [
      { id: 'make', kind: 'create_entity', type: 'report', title: 'Of {title}', description: '<b>Of</b> {title}' },
    ],
  })
  await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  await corvus.work()
  const [run] = await corvus.runsOf(playbook)
  const { data } = await corvus.ask('GET', `entities/${run.steps[0].output.entity}`)
  assert.equal(data.title, 'Of <img src=x onerror=alert(1)> & more')
  assert.equal(data.description, '<b>Of</b> &lt;img src=x onerror=alert(1)&gt; &amp; more')
})

test('bodies of runs that are not what they should be are refused with their fault', async () => {
  const playbook = await corvus.playbook({ trigger: MANUAL, steps: GOOD.steps })
  const { id } = await corvus.entity('Body')
  const unseen = '018f3c1e-7a60-7d44-9b1b-0c5d1a4e2f10'
  for (const [data, field] of [
    [7, 'data'],
    [{}, 'data.entities'],
    [{ entities: 7 }, 'data.entities'],
    [{ entities: [null] }, 'data.entities[0]'],
    [{ entities: [id, unseen] }, 'data.entities[1]'],
    [{ entities: [id], key: 7 }, 'data.key'],
    [{ entities: [id], most: 1e9 }, 'data.most'],
    [{ entities: [id], outcomes: { end: 7 } }, 'data.outcomes.end'],
    [{ entities: [id], outcomes: { end: 'x' } }, 'data.outcomes'],
    [{ entities: [id], outcomes: { end: 'x' }, dry_run: true }, 'data.outcomes.end'],
    [{ entities: [id], outcomes: { other: 'x' }, dry_run: true }, 'data.outcomes.other'],
    [{ observables: [1] }, 'data.observables'],
    [{ query: 'title:(' }, 'data.query'],
    [{ relational_query: 7 }, 'data.relational_query'],
  ] as const) {
    const answer = await corvus.call('POST', `playbooks/${playbook.id}/runs`, { data })
    assert.equal(answer.status, 400, field)
    assert.equal(detailsOf(answer)[0]?.split(':')[0], field)
  }
  assert.deepEqual(await corvus.runsOf(playbook), [])
})

test('a playbook that is deleted in mid-run, and an owner who is, leave nothing behind that goes on', async () => {
  const token = await corvus.tokenFor(['read playbooks', 'modify playbooks', 'read entities', 'modify entities'])
  const { id: owner } = await corvus.ask('GET', 'users/self', undefined, token)
  const entity = await corvus.entity('Mid-run')
  const tag = (added: string) => ({ id: added, kind: 'tag', added: [added] })
  const orphan = await corvus.playbook({ trigger: MANUAL, steps: [tag('orphan')] }, token)
  const gone = await corvus.playbook({ trigger: MANUAL, steps: [tag('gone')] })
  for (const playbook of [orphan, gone])
    await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { entities: [entity.id] })
  await corvus.ask('DELETE', `playbooks/${gone.id}`)
  await corvus.ask('DELETE', `users/${owner}`)
  await corvus.work()
  const [run] = await corvus.runsOf(orphan)
  assert.equal(run.state, 'FAILURE')
  assert.match(run.reason, /does not exist or is inactive/)
  assert.deepEqual(await corvus.tagsOf(entity), [])
  const { rows } = await corvus.pool.query('select from playbook_runs where ended_at is null')
  assert.equal(rows.length, 0)
})
