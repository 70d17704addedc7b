import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finds } from '../../../test/set-up/enrichers.ts'
import { startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'
import { until } from '../../../test/until.ts'
import { enrichWritten } from '../enrichment-rules/enrich-written.ts'
import { followChanges } from './follow-changes.ts'

let corvus: Awaited<ReturnType<typeof startEnrichmentRules>>
let stopFollowing: () => Promise<void>
before(async () => {
  corvus = await startEnrichmentRules()
  await corvus.startProcess()
  stopFollowing = corvus.startFollowing([enrichWritten, followChanges])
})
after(async () => {
  await stopFollowing()
  await corvus.stop()
})

test('a playbook, an enrichment rule and enrichers that change their minds end with a warning', async () => {
  const enrichers = []
  for (const name of ['fickle', 'moody']) {
    enrichers.push(await corvus.enricher({ name, cache_validity: 0 }))
    corvus.source.answers(`/${name}`, (response, call) => {
      const maliciousness = corvus.source.callsTo(`/${name}`).length % 2 === 0 ? 'low' : 'high'
      return finds({ kind: 'verdict', maliciousness })(response, call)
    })
  }
  const ids = enrichers.map(({ id }) => id)
  await corvus.rule({ enrichers: ids, criteria: [{}] })
  const playbook = await corvus.ask('POST', 'playbooks', {
    name: 'Asks again',
    is_active: true,
    trigger: { type: 'change', collection: 'observables', query: 'fickle.example', repeat: 'each_change' },
    steps: [{ id: 'ask', kind: 'enrich', enrichers: ids }],
  })
  await corvus.entity(['fickle.example'])
  const runs = await until(async () => {
    const all = await corvus.ask('GET', `playbooks/${playbook.id}/runs?sort=created_at`)
    const isOver = all.every(({ ended_at }: { ended_at: string | null }) => ended_at !== null)
    return isOver && all.some(({ state }: { state: string }) => state === 'WARNING') ? all : undefined
  }, 'no run warns')
  const blocked = runs.filter(({ state }: { state: string }) => state === 'WARNING')
  assert.equal(blocked.length, 1)
  assert.match(blocked[0].reason, /which looks like a loop/)
  assert.ok(runs.length <= 6, `${runs.length} runs`)
})
