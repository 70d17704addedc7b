import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Enrichers, finds, startEnrichers } from '../../../../test/set-up/enrichers.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const named = (title: string) => ({ kind: 'entity', type: 'malware', id: title, title })

/** Looks a new domain up, and returns the entities linked to it by title: their colour and tags. */
async function found(enricher: { readonly id: number }, domain: string): Promise<Record<string, unknown>> {
  const { id } = await corvus.observable(domain)
  const body = { enrichers: [enricher.id], observables: [id] }
  const run = await corvus.ended(await corvus.run(body))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  // A second answer writes the same entities again.
  assert.equal((await corvus.ended(await corvus.run({ ...body, force: true }))).state, 'SUCCESS')
  const entities = await corvus.ask('GET', `entities?filter[observables]=${id}`)
  return Object.fromEntries(
    entities.map(({ data, meta }: { data: { title: string }; meta: { tlp_color: string; tags: string[] } }) => [
      data.title,
      [meta.tlp_color, meta.tags],
    ]),
  )
}

test('entity rules act on the entities that an enricher names, by its source and by their content', async () => {
  const enricher = await corvus.enricher({ name: 'ruled', tlp_color: 'GREEN' })
  const other = await corvus.enricher({ name: 'other', tlp_color: 'GREEN' })
  const answer = finds(named('Emotet'), named('TrickBot'))
  for (const path of ['/ruled', '/other']) corvus.source.answers(path, answer)
  const rule = await corvus.ask('POST', 'entities/rules', {
    name: 'Of the enricher',
    is_active: true,
    actions: ['add_tags', 'override_tlp'],
    add_tags: ['ruled'],
    override_tlp: 'AMBER',
    sources: [enricher.source],
  })
  await corvus.ask('POST', 'entities/rules', {
    name: 'By content',
    is_active: true,
    actions: ['add_tags'],
    add_tags: ['loader'],
    content_criteria: 'data.title:emotet',
  })
  assert.deepEqual(await found(enricher, 'ruled.example'), {
    Emotet: ['AMBER', ['loader', 'ruled']],
    TrickBot: ['AMBER', ['ruled']],
  })
  assert.deepEqual(await found(other, 'other.example'), { Emotet: ['GREEN', ['loader']], TrickBot: ['GREEN', []] })

  const effects = await corvus.ask('GET', `entity-rule-effects?filter[rule]=${rule.id}`)
  const titles = new Set(effects.map(({ title }: { title: string }) => title))
  assert.deepEqual([...titles].sort(), ['Emotet', 'TrickBot'])
  // What rules change belongs to the write of the enricher, which is not followed by further look-ups.
  const { rows } = await corvus.pool.query(`select distinct cause_kind from changes where resource = 'entities'`)
  assert.deepEqual(rows, [{ cause_kind: 'enricher' }])
})
