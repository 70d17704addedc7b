import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatName, guessFormat, lostIn, notesIn, talliesOf } from './file-facts.ts'

test('the file name suggests the format and whether a password may be needed', () => {
  assert.equal(guessFormat('Bundle.JSON').guess, 'STIX 2, MISP or platform JSON')
  assert.equal(guessFormat('samples.tar.gz').isArchive, true)
  assert.deepEqual(guessFormat('noname'), { guess: 'Detected from its content', isArchive: false })
  assert.deepEqual([formatName('stix-2'), formatName('new'), formatName(null)], ['STIX 2', 'new', '–'])
})

test('counts are grouped by kind of object, and zero counts are omitted', () => {
  const result = { format: 'stix-2', objects: 3, parts: { lost: 1 }, entities: { created: 2, updated: 0 }, lost: 1 }
  assert.deepEqual(talliesOf(result), [
    {
      kind: 'Entities',
      counts: [
        ['created', 2],
        ['updated', 0],
      ],
    },
    { kind: 'Other objects', counts: [['lost', 1]] },
  ])
  assert.deepEqual([lostIn(result), lostIn(null), lostIn('x')], [1, 0, 0])
  assert.deepEqual([talliesOf(null), talliesOf({ entities: 3 })], [[], []])
  assert.deepEqual([notesIn({ notes: ['a'] }), notesIn(result), notesIn(null)], [['a'], [], []])
})
