import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Playbooks, startPlaybooks } from '../../../test/set-up/playbooks.ts'

let corvus: Playbooks
before(async () => {
  corvus = await startPlaybooks()
})
after(() => corvus.stop())

const MANUAL = { type: 'manual' }
const tag = (added: string, more: object = {}) => ({ id: added, kind: 'tag', added: [added], ...more })
const statesOf = ({ steps }: { steps: { state: string }[] }) => steps.map(({ state }) => state)

test('a dry run says what would happen on each object, and leaves nothing behind', async () => {
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [tag('tried'), tag('next', { only_if: [{ step: 'tried', outcome: ['unchanged'] }] })],
  })
  const entity = await corvus.entity('Tried', { meta: { tags: ['kept'] } })
  const counts = async () => {
    const { rows } = await corvus.pool.query(
      `select (select count(*)::integer from changes) as changes, (select count(*)::integer from playbook_runs) as runs,
        (select count(*)::integer from playbook_run_steps) as steps, (select count(*)::integer from entity_versions) as versions`,
    )
    return rows[0]
  }
  const before = await counts()
  const data = { entities: [entity.id], dry_run: true }
  const answer = await corvus.call('POST', `playbooks/${playbook.id}/runs`, { data })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const [tried] = answer.body.data.dry_run
  assert.deepEqual([tried.state, statesOf(tried)], ['SUCCESS', ['SUCCESS', 'SKIPPED']])
  assert.deepEqual(tried.steps[0].output, { added: ['tried'], removed: [] })
  const [other] = (
    await corvus.ask('POST', `playbooks/${playbook.id}/runs`, { ...data, outcomes: { tried: 'unchanged' } })
  ).dry_run
  assert.deepEqual(statesOf(other), ['SUCCESS', 'SUCCESS'])
  const [unsaved] = await corvus.ask('POST', 'playbooks/dry-run', {
    playbook: { trigger: MANUAL, steps: [{ id: 'c', kind: 'condition', query: 'absent' }, tag('never')] },
    entities_query: 'data.title:tried',
  })
  assert.deepEqual([unsaved.state, statesOf(unsaved)], ['SUCCESS', ['SUCCESS', 'PENDING']])
  assert.deepEqual(await counts(), before)
  assert.deepEqual(await corvus.tagsOf(entity), ['kept'])
})

test('a dry run has the permissions of the caller, not those of the owner', async () => {
  const token = await corvus.tokenFor(['read playbooks', 'modify playbooks', 'read entities'])
  const playbook = await corvus.playbook({
    trigger: MANUAL,
    steps: [tag('not mine')].map((step) => ({ ...step, id: 'x' })),
  })
  const entity = await corvus.entity('Not mine')
  const { dry_run } = await corvus.ask(
    'POST',
    `playbooks/${playbook.id}/runs`,
    { entities: [entity.id], dry_run: true },
    token,
  )
  assert.partialDeepStrictEqual(dry_run, [
    { state: 'FAILURE', reason: "The step 'x' failed: Missing permissions: [modify entities]" },
  ])
})
