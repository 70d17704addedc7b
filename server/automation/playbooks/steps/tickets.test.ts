import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  act,
  ask,
  corvus,
  countOf,
  entity,
  hiddenEntity,
  idsIn,
  makeEntity,
  observable,
  ownerWith,
} from '../../../../test/set-up/steps.ts'
import type { StepResult } from '../step.ts'
import { comment } from './comment.ts'
import { ticket } from './ticket.ts'

const open = (output: StepResult['output'] | undefined) => ask('GET', `tickets/${output?.ticket}`)

test('a ticket is opened about an entity, with everything that the step says', async () => {
  const { id } = await makeEntity()
  const assignee = await ownerWith(['read tickets'])
  const wanted = { title: 'Look at {title}', description: 'See {title}.', priority: 'HIGH', assignee, workspaces: [1] }
  const { outcome, output } = await act(ticket, { ...wanted, due_in_days: 2 }, entity(id))
  assert.equal(outcome, 'opened')
  const made = await open(output)
  assert.deepEqual(
    [
      made.name,
      made.description,
      made.priority,
      ...idsIn([made.assignee]),
      idsIn(made.entities),
      idsIn(made.workspaces),
    ],
    ['Look at of entities', 'See of entities.', 'HIGH', String(assignee), [id], ['1']],
  )
  assert.equal(new Date(made.due_at) > new Date(), true)
})

test('a repeated step opens no second ticket', async () => {
  const { id } = await makeEntity()
  const before = await countOf('tickets')
  const key = 'the key of a step'
  const first = await act(ticket, { title: 'Once' }, entity(id), { key })
  assert.deepEqual(await act(ticket, { title: 'Once' }, entity(id), { key }), first)
  assert.equal(await countOf('tickets'), before + 1)
})

test('the open ticket of the playbook is updated, and what people wrote stays', async () => {
  const { id } = await makeEntity()
  const first = await act(ticket, { title: 'Twice', description: 'First', priority: 'MEDIUM' }, entity(id), {
    playbook: 3,
  })
  const made = await open(first.output)
  await ask('PATCH', `tickets/${made.id}`, { description: 'Written by hand' })
  const stakeholder = await ownerWith(['read tickets'])
  const wanted = { title: 'Twice', description: 'Second', stakeholders: [stakeholder], workspaces: [1] }
  const second = await act(ticket, { ...wanted, priority: 'LOW' }, entity(id), { playbook: 3 })
  assert.deepEqual(second, { outcome: 'updated', output: { ticket: made.id } })
  assert.equal((await act(ticket, { ...wanted, priority: 'CRITICAL' }, entity(id), { playbook: 3 })).outcome, 'updated')
  const now = await open(second.output)
  assert.deepEqual(
    [now.description, now.priority, idsIn(now.stakeholders), idsIn(now.workspaces), idsIn(now.entities)],
    ['Written by hand', 'CRITICAL', [String(stakeholder)], ['1'], [id]],
  )
  const other = await act(ticket, { title: 'Twice' }, entity(id), { playbook: 4 })
  assert.deepEqual([other.outcome, (await open(other.output)).name], ['opened', 'Twice (2)'])
  await ask('PATCH', `tickets/${made.id}`, { status: 'CLOSED' })
  const third = await act(ticket, { title: 'Twice' }, entity(id), { playbook: 3 })
  assert.deepEqual([third.outcome, (await open(third.output)).name], ['opened', 'Twice (3)'])
})

test('two runs on one object at once open one ticket', async () => {
  const { id } = await ask('POST', 'observables', { type: 'domain', value: 'two.heron.example' })
  const both = await Promise.all([1, 2].map(() => act(ticket, { title: 'At once' }, observable(id), { playbook: 9 })))
  assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ['opened', 'updated'])
  assert.equal(new Set(both.map(({ output }) => output?.ticket)).size, 1)
})

test('a dry run opens no ticket', async () => {
  const before = await countOf('tickets')
  const { id } = await makeEntity()
  assert.equal((await act(ticket, { title: 'Dry' }, entity(id), { isDryRun: true })).outcome, 'opened')
  assert.equal(await countOf('tickets'), before)
})

test('a ticket for a workspace that the owner does not see is out of scope, and so is an invisible object', async () => {
  const token = await corvus.tokenFor(['read workspaces', 'modify workspaces'])
  const room = await ask('POST', 'workspaces', { name: 'Herons only' }, token)
  const owner = await ownerWith(['read entities', 'read tickets', 'modify tickets'])
  const { id } = await makeEntity()
  assert.equal(
    (await act(ticket, { title: 'x', workspaces: [room.id] }, entity(id), { owner })).outcome,
    'out_of_scope',
  )
  assert.equal((await act(ticket, { title: 'x' }, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const reader = await ownerWith(['read entities', 'read tickets'])
  await assert.rejects(
    act(ticket, { title: 'x' }, entity(id), { owner: reader }),
    /Missing permissions: \[modify tickets\]/,
  )
})

test('a comment goes to the ticket of the run or to a workspace, once', async () => {
  const { id } = await makeEntity()
  const { output = {} } = await act(ticket, { title: 'Commented' }, entity(id))
  const results = new Map([['open', { outcome: 'opened', output }]])
  const key = 'the key of a comment'
  const first = await act(comment, { text: 'About {title}' }, entity(id), { results, key })
  assert.equal(first.outcome, 'commented')
  assert.deepEqual(await act(comment, { text: 'About {title}' }, entity(id), { results, key }), first)
  const texts = (await ask('GET', `tickets/${output.ticket}/comments`)).map((each: { text: string }) => each.text)
  assert.deepEqual(texts, ['About of entities'])
  assert.equal((await act(comment, { text: 'x', workspace: 1 }, entity(id), { isDryRun: true })).outcome, 'commented')
  assert.equal((await ask('GET', 'workspaces/1/comments')).length, 0)
  assert.equal((await act(comment, { text: 'x', workspace: 1 }, entity(id))).outcome, 'commented')
  assert.equal((await ask('GET', 'workspaces/1/comments')).length, 1)
})

test('without a ticket in the run there is nothing to comment on, and a foreign workspace is out of scope', async () => {
  const { id } = await makeEntity()
  assert.equal((await act(comment, { text: 'x' }, entity(id))).outcome, 'not_found')
  assert.equal((await act(comment, { text: 'x', workspace: 999 }, entity(id))).outcome, 'out_of_scope')
  assert.equal((await act(comment, { text: 'x' }, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities', 'read tickets'])
  await assert.rejects(act(comment, { text: 'x' }, entity(id), { owner }), /modify ticket-comments/)
})
