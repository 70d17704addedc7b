import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoTaxonomies, taxonomyLevels } from './taxonomies.ts'

test('the levels hold every path, each below its parent', () => {
  const levels = taxonomyLevels()
  const all = levels.flat()
  assert.equal(new Set(all).size, all.length)
  assert.ok(demoTaxonomies().every((path) => all.includes(path)))
  for (const [depth, level] of levels.entries()) {
    for (const path of level) {
      const names = path.split('/')
      assert.equal(names.length, depth + 1)
      if (depth > 0) assert.ok(levels[depth - 1]?.includes(names.slice(0, -1).join('/')))
    }
  }
})
