import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { BASE } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import {
  corvus,
  get,
  make,
  makeRule,
  put,
  readerUpTo,
  runRule,
  withoutRules,
} from '../../../test/set-up/entity-rules.ts'
import { modelEntities, ruleSets } from '../../../test/set-up/rule-model.ts'

beforeEach(withoutRules)

const preview = async (rule: object, token = corvus.admin) => {
  const { status, body } = await corvus.call('POST', 'entities/rules/preview', { data: rule }, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

test('a preview counts what matches and changes, shows samples with names, and stores nothing', async () => {
  await make('taxonomies', { path: 'previews/one' })
  const workspace = await make('workspaces', { name: 'Previews' })
  const dataset = await make('datasets', { name: 'Previewed', workspaces: [workspace.id] })
  const made = await put([
    { data: { type: 'report', title: 'gull one' }, meta: { tlp_color: 'GREEN', tags: ['old'] } },
    { data: { type: 'tool', title: 'gull two' }, meta: { tlp_color: 'RED' } },
    { data: { type: 'tool', title: 'other' } },
  ])
  const before = await corvus.pool.query('select count(*) from changes')
  const seen = await preview({
    actions: ['override_tlp', 'add_tags', 'remove_tags', 'add_to_set', 'set_alias'],
    override_tlp: 'RED',
    add_taxonomies: ['previews/one'],
    remove_tags: ['old'],
    datasets: [dataset.id],
    alias_formatting_template: 'Bird: {title}',
    content_criteria: 'gull',
  })
  assert.deepEqual([seen.matched, seen.changed, seen.is_sample, seen.warnings], [2, 2, false, []])
  assert.deepEqual(
    new Set(seen.by_type.map(({ type, count }: Record<string, unknown>) => `${type} ${count}`)),
    new Set(['report 1', 'tool 1']),
  )
  assert.equal(seen.by_source[0].count, 2)
  const counts = Object.fromEntries(seen.by_effect.map(({ effect, count }: Record<string, string>) => [effect, count]))
  assert.deepEqual(counts, { alias: 2, taxonomy_added: 2, dataset_added: 2, tlp: 1, tag_removed: 1 })
  const sample = seen.samples.find(({ title }: { title: string }) => title === 'gull one')
  assert.equal(sample.entity, `${BASE}/api/v2/entities/${made[0]?.id}`)
  const state = { type: 'report', tlp_color: 'GREEN', tags: ['old'], taxonomies: [], datasets: [], title: 'gull one' }
  assert.deepEqual(sample.before, state)
  const after = {
    tlp_color: 'RED',
    tags: [],
    taxonomies: ['previews/one'],
    datasets: ['Previewed'],
    title: 'Bird: gull one',
  }
  assert.deepEqual(sample.after, { ...state, ...after })
  assert.deepEqual((await get(String(made[0]?.id))).meta.tags, ['old'])
  assert.deepEqual((await corvus.call('GET', 'entities/rules')).body.data, [])
  assert.deepEqual((await corvus.pool.query('select count(*) from changes')).rows, before.rows)
})

test('a preview counts only what the caller sees, and refuses wrong rules', async () => {
  const permissions = ['modify rules', 'read entities', 'modify entities']
  const { token } = await readerUpTo('GREEN', permissions)
  await put(['WHITE', 'RED'].map((tlp_color) => ({ data: { type: 'report', title: 'knot' }, meta: { tlp_color } })))
  const rule = { actions: ['add_tags'], add_tags: ['x'], content_criteria: 'knot' }
  assert.equal((await preview(rule, token)).matched, 1)
  assert.equal((await preview(rule)).matched, 2)
  const wrong = await corvus.call('POST', 'entities/rules/preview', { data: { ...rule, content_criteria: '(' } })
  assert.equal(wrong.status, 400)
  assert.match(JSON.stringify(wrong.body), /content_criteria/)
  const blind = await corvus.tokenFor(['modify rules'])
  assert.equal((await corvus.call('POST', 'entities/rules/preview', { data: rule }, blind)).status, 403)
  assert.equal((await corvus.call('POST', 'entities/rules/preview', { data: { ...rule, id: 987 } })).status, 404)
})

test('a run does what the preview said', async () => {
  await fc.assert(
    fc.asyncProperty(ruleSets, modelEntities, async ({ rules }, entities) => {
      await withoutRules()
      await corvus.pool.query('delete from entities')
      const made = await put(
        entities.map(({ type, title, tags, colour }) => ({
          data: { type, title },
          meta: { tags: [...tags], tlp_color: colour },
        })),
      )
      const [first, ...others] = rules.map(({ matches: _, ...rule }) => rule)
      for (const other of others) await makeRule({ ...other })
      const said = await preview({ ...first })
      const rule = await makeRule({ ...first })
      const run = await runRule(rule)
      assert.deepEqual(run.result, { judged: said.judged, matched: said.matched, changed: said.changed })
      const after = new Map(said.samples.map((each: { entity: string; after: object }) => [each.entity, each.after]))
      for (const { id } of made) {
        const { meta } = await get(id)
        const wanted = after.get(`${BASE}/api/v2/entities/${id}`) as { tags: string[]; tlp_color: string } | undefined
        if (wanted) assert.deepEqual([meta.tags, meta.tlp_color], [wanted.tags, wanted.tlp_color])
      }
    }),
    { numRuns: effort(100, 15) },
  )
})
