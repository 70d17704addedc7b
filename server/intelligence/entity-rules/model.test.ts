import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../test/effort.ts'
import { corvus, type Entity, put, withoutRules } from '../../../test/set-up/entity-rules.ts'
import {
  enforceModel,
  type ModelRule,
  type ModelState,
  modelEntities,
  ruleSets,
} from '../../../test/set-up/rule-model.ts'

const asSent = ({ type, title, tags, colour }: ModelState) => ({
  data: { type, title },
  meta: { tags: [...tags], tlp_color: colour },
})

const shown = ({ data, meta }: Entity) => ({
  type: data.type,
  tags: [...meta.tags].sort(),
  colour: meta.tlp_color,
})

const expected = (state: ModelState) => ({ type: state.type, tags: [...state.tags].sort(), colour: state.colour })

async function save(rules: readonly ModelRule[]): Promise<void> {
  await withoutRules()
  const items = rules.map(({ matches: _, ...rule }, i) => ({ ...rule, name: `Rule ${i}`, is_active: true }))
  const { status, body } = await corvus.call('PUT', 'entities/rules', items)
  assert.equal(status, 201, JSON.stringify(body))
}

test('rules do what a simple model does, in any order; where no effect makes a rule match no longer, twice equals once', async () => {
  await fc.assert(
    fc.asyncProperty(ruleSets, modelEntities, async ({ rules, isStable }, entities) => {
      await save(rules)
      const made = await put(entities.map(asSent))
      const wanted = entities.map((entity) => expected(enforceModel(entity, rules)))
      assert.deepEqual(made.map(shown), wanted)
      if (isStable) {
        const again = await put(made.map(({ data, meta }) => ({ data, meta })))
        assert.deepEqual(again.map(shown), wanted)
      }
      await save(rules.toReversed())
      assert.deepEqual((await put(entities.map(asSent))).map(shown), wanted)
    }),
    { numRuns: effort(1000, 25) },
  )
})
