import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundInWords, totalOf } from './detonate-entities.ts'

test('the results of several queries are added up, and equal reasons are counted together', () => {
  const withheld = { detonator: 1, name: 'cape', reason: 'It is TLP RED.', count: 2 }
  const one = { entities: 2, files: 1, urls: 0, submissions: 1, withheld: [withheld], detonations: ['a'] }
  const total = totalOf([one, { ...one, urls: 3, detonations: ['b', 'a'] }])
  assert.deepEqual(total, {
    entities: 4,
    files: 2,
    urls: 3,
    submissions: 2,
    withheld: [{ ...withheld, count: 4 }],
    detonations: ['a', 'b'],
  })
})

test('what is found is said in words', () => {
  assert.equal(foundInWords({ entities: 1, files: 1, urls: 0 }), '1 file and 0 URLs of 1 entity')
  assert.equal(foundInWords({ entities: 1200, files: 2, urls: 1 }), '2 files and 1 URL of 1,200 entities')
})
