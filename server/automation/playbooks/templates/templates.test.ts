import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { playbookTemplates } from './templates.ts'

const corvus = await startApp()
after(() => corvus.stop())

const { id: user } = (await corvus.call('GET', 'users/self')).body.data
const dataset = await corvus.call('POST', 'datasets', { data: { name: 'Blocked', workspaces: [1] } })
const enricher = await corvus.call('POST', 'enrichers', {
  data: { name: 'kev', enricher: 'table:kev', is_active: false, supported_observable_types: ['cve'] },
})
const detonator = await corvus.call('POST', 'detonators', {
  data: { adapter: 'cape', name: 'sandbox', is_active: false },
})
assert.deepEqual(
  [dataset, enricher, detonator].map(({ status }) => status),
  [201, 201, 201],
  JSON.stringify([enricher.body, detonator.body]),
)

/** Something to choose in each collection. */
const chosen: Record<string, number> = {
  datasets: dataset.body.data.id,
  enrichers: enricher.body.data.id,
  users: user,
  workspaces: 1,
  detonators: detonator.body.data.id,
}

type Playbook = Record<string, unknown> & { readonly steps: readonly { readonly kind: string }[] }

/** The place of a path such as `steps[0].users`: its object and its name there. */
function placeOf(playbook: Playbook, path: string): readonly [Record<string, unknown>, string] {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '')
  const last = parts.pop() ?? ''
  const at = parts.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], playbook)
  assert.ok(typeof at === 'object' && at !== null, path)
  return [at as Record<string, unknown>, last]
}

test('there are twelve ready-made playbooks, each with a paragraph that explains it', async () => {
  const { body } = await corvus.call('GET', 'playbooks/templates')
  assert.equal(body.data.length, 12)
  for (const { name, title, explanation } of body.data) {
    assert.match(name, /^[a-z-]+$/)
    assert.ok(title.length <= 60 && explanation.length > 100 && !explanation.includes('\n'), name)
  }
})

for (const { name, playbook: shipped, choices } of playbookTemplates) {
  test(`the ready-made playbook ${name} can be saved once everything was chosen, and not before`, async () => {
    const playbook = structuredClone(shipped) as Playbook
    const steps = JSON.stringify(playbook.steps)
    const asked = choices.filter(({ collection }) => collection !== null)
    for (const { path, collection } of choices) {
      const [at, member] = placeOf(playbook, path)
      const given = at[member]
      if (collection === null) assert.ok(typeof given === 'string' && given !== '', path)
      else assert.ok(given === null || (Array.isArray(given) && given.length === 0), `${path} is empty`)
      if (collection !== null) at[member] = Array.isArray(given) ? [chosen[collection]] : chosen[collection]
    }
    const empty = (steps.match(/":\[\]|"assignee":null/g) ?? []).length
    assert.equal(empty, asked.length, 'everything that is empty is to be chosen')
    const saved = await corvus.call('POST', 'playbooks', { data: playbook })
    assert.equal(saved.status, 201, JSON.stringify(saved.body))
    assert.deepEqual([saved.body.data.template, saved.body.data.is_active], [name, false])
    const active = await corvus.call('PATCH', `playbooks/${saved.body.data.id}`, { data: { is_active: true } })
    assert.deepEqual([active.status, active.body.data?.problem], [200, null], JSON.stringify(active.body))
  })
}

test('the queries of schedules and changes find what they are about', async () => {
  for (const { name, playbook } of playbookTemplates) {
    const { trigger } = playbook as unknown as {
      readonly trigger: { readonly collection: string; readonly query: string | null }
    }
    if (trigger.query === null) continue
    const answer = await corvus.call('GET', `${trigger.collection}?query=${encodeURIComponent(trigger.query)}`)
    assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`)
  }
})
