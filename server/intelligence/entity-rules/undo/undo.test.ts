import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../test/effort.ts'
import { corvus, get, make, makeRule, put, runRule, undo, withoutRules } from '../../../../test/set-up/entity-rules.ts'

beforeEach(withoutRules)

const deactivate = (rule: { id: number }) =>
  corvus.call('PATCH', `entities/rules/${rule.id}`, { data: { is_active: false } })

test('undo takes back every kind of effect, exactly as it was', async () => {
  await make('taxonomies', { path: 'undo/one' })
  const workspace = await make('workspaces', { name: 'Undo' })
  const dataset = await make('datasets', { name: 'Undo', workspaces: [workspace.id] })
  const item = { data: { type: 'ttp', title: 'robin' }, meta: { tags: ['x', 'y'], tlp_color: 'GREEN', alias: 'Red' } }
  const [before] = await put([item])
  const rule = await makeRule({
    actions: ['add_tags', 'remove_tags', 'add_to_set', 'override_tlp', 'set_alias', 'convert_to_vendorjson2'],
    add_tags: ['z'],
    remove_tags: ['x'],
    add_taxonomies: ['undo/one'],
    datasets: [dataset.id],
    override_tlp: 'RED',
    alias_formatting_template: '{title}!',
    vendorjson2_entity_type: 'malware-family',
    content_criteria: 'robin',
  })
  await runRule(rule)
  const id = String(before?.id)
  const ruled = await get(id)
  assert.deepEqual([ruled.meta.alias, ruled.data.type, ruled.datasets.length], ['robin!', 'malware', 1])
  await deactivate(rule)
  const tried = await undo(rule.id, { dry_run: true })
  assert.deepEqual(tried, { undone: 7, kept: 0, reasons: [] })
  assert.deepEqual((await get(id)).meta.tags, ruled.meta.tags)
  assert.deepEqual(await undo(rule.id), tried)
  const after = await get(id)
  assert.deepEqual(after.data, before?.data)
  const { alias, tlp_color, taxonomies } = after.meta
  assert.deepEqual({ alias, tlp_color, taxonomies }, { alias: 'Red', tlp_color: 'GREEN', taxonomies: [] })
  assert.deepEqual([after.meta.tags.toSorted(), after.datasets], [['x', 'y'], []])
  assert.deepEqual(await undo(rule.id), { undone: 0, kept: 0, reasons: [] })
  const { body } = await corvus.call('GET', `entity-rule-effects?filter[entity]=${id}`)
  assert.ok(body.data[0].undone_at)
})

test('undo keeps what was changed since, and says why', async () => {
  const [made] = await put([{ data: { type: 'report', title: 'finch' }, meta: { tlp_color: 'GREEN' } }])
  const rule = await makeRule({
    actions: ['add_tags', 'override_tlp'],
    add_tags: ['one', 'two'],
    override_tlp: 'AMBER',
    content_criteria: 'finch',
  })
  const run = await runRule(rule)
  await deactivate(rule)
  await corvus.call('PATCH', `entities/${made?.id}`, { data: { meta: { tags: ['two'], tlp_color: 'RED' } } })
  const result = await undo(rule.id, { run: run.id })
  assert.deepEqual(result.undone, 1)
  assert.deepEqual(result.kept, 2)
  const after = await get(String(made?.id))
  assert.deepEqual([after.meta.tags, after.meta.tlp_color], [[], 'RED'])
  const { body } = await corvus.call('GET', `entity-rule-effects?filter[rule]=${rule.id}`)
  assert.match(body.data[0].kept, /The colour was changed since\./)
})

const TAGS = ['a', 'b', 'c']
const COLOURS = ['WHITE', 'GREEN', 'AMBER', 'RED']

const drawnRule = fc.record({
  add: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  remove: fc.uniqueArray(fc.constantFrom('p', 'q'), { maxLength: 2 }),
  colour: fc.option(fc.constantFrom(...COLOURS)),
})

test('undo of a rule leaves what the other rules of the same write would have made without it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnRule, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom('a', 'p', 'q', 'own'), { maxLength: 4 }),
      fc.constantFrom(...COLOURS),
      fc.nat(),
      fc.boolean(),
      async (drawn, tags, colour, pick, isTagged) => {
        await withoutRules()
        const rules: { id: number }[] = []
        for (const { add, remove, colour } of drawn) {
          rules.push(
            await makeRule({
              actions: ['add_tags', 'remove_tags', ...(colour ? ['override_tlp'] : [])],
              add_tags: add,
              remove_tags: remove,
              override_tlp: colour,
              entity_types: ['report'],
            }),
          )
        }
        const [made] = await put([{ data: { type: 'report', title: 'tern' }, meta: { tags, tlp_color: colour } }])
        const id = String(made?.id)
        // What a person changes since has nothing to do with the rules and stays.
        if (isTagged) {
          const kept = [...(made?.meta.tags ?? []), 'since']
          await corvus.call('PATCH', `entities/${id}`, { data: { meta: { tags: kept } } })
        }
        const undone = pick % rules.length
        await undo(Number(rules[undone]?.id))
        const rest = drawn.filter((_, i) => i !== undone)
        const { meta } = await get(id)
        assert.deepEqual(new Set(meta.tags), new Set([...withRules(tags, rest), ...(isTagged ? ['since'] : [])]))
        // A colour that the rule only covered up, or prevented, is that of the others.
        const overrides = rest.flatMap((rule) => rule.colour ?? [])
        const isSeen = made?.meta.tlp_color !== colour
        const strictest = COLOURS.findLast((each) => overrides.includes(each))
        if (isSeen) assert.equal(meta.tlp_color, strictest ?? colour)
        // Without the last rule, nothing of them is left.
        for (const [i, rule] of rules.entries()) if (i !== undone) await undo(rule.id)
        const last = await get(id)
        assert.deepEqual(new Set(last.meta.tags), new Set([...tags, ...(isTagged ? ['since'] : [])]))
        assert.equal(last.meta.tlp_color, colour)
      },
    ),
    { numRuns: effort(200, 25) },
  )
})

function withRules(tags: readonly string[], rules: readonly { add: string[]; remove: string[] }[]): Set<string> {
  const left = new Set(tags)
  for (const { remove } of rules) for (const tag of remove) left.delete(tag)
  for (const { add } of rules) for (const tag of add) left.add(tag)
  return left
}
