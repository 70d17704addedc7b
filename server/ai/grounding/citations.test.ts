import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { citationReader } from './citations.ts'
import { nearestSentence } from './nearest.ts'

function readIn(pieces: readonly string[], passageCount = 3) {
  const reader = citationReader(passageCount)
  const parts = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()]
  return {
    answer: parts.map((part) => ('text' in part ? part.text : '')).join(''),
    cited: parts.flatMap((part) => ('cited' in part ? [part.cited] : [])),
  }
}

test('citations of given passages are kept in one form, others are removed with the space before them', () => {
  const cases: Record<string, [answer: string, numbers: number[]]> = {
    'It flies [1].': ['It flies [1].', [1]],
    'It flies [1, 3] far [2-3].': ['It flies [1][3] far [2][3].', [1, 3, 2, 3]],
    'It flies [^2] or 【1】 or [Passage 3].': ['It flies [2] or [1] or [3].', [2, 1, 3]],
    'It flies [4].': ['It flies.', []],
    'It flies [0][99][2].': ['It flies[2].', [2]],
    'It flies [2, 17].': ['It flies [2].', [2]],
    'Contact crow[.]example or [see below].': ['Contact crow[.]example or [see below].', []],
    'An open [1': ['An open [1', []],
    'Nothing  ': ['Nothing  ', []],
    '[[1]]': ['[[1]]', [1]],
  }
  for (const [said, [answer, numbers]] of Object.entries(cases)) {
    const read = readIn([said])
    assert.deepEqual([read.answer, read.cited.map(({ n }) => n)], [answer, numbers], said)
  }
})

test('it does not matter how an answer is cut into pieces', () => {
  const text = fc.string({
    unit: fc.constantFrom('[1]', ' [2, 3]', '[9]', '[', ']', '1', ',', ' ', 'a', '.', '^', '\n'),
  })
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (said, cuts) => {
      const places = [0, ...cuts.map((at) => Math.min(at, said.length)).toSorted((a, b) => a - b), said.length]
      const pieces = places.slice(1).map((end, i) => said.slice(places[i], end))
      assert.deepEqual(readIn(pieces), readIn([said]))
    }),
  )
})

test('a citation supports the sentence that it ends', () => {
  const { cited } = readIn(['Crows fly. They use 203.0.113.7 at night [1]. They sleep. [2]\n- In a list [3]'])
  assert.deepEqual(
    cited.map(({ claim }) => claim),
    ['They use 203.0.113.7 at night', 'They sleep', '- In a list'],
  )
})

test('the quote is the sentence with the rare words of the statement', () => {
  const text = 'The group is known. The group uses FeatherRAT against ports. The group rests.'
  assert.equal(nearestSentence(text, 'FeatherRAT is a tool of the group'), 'The group uses FeatherRAT against ports.')
  assert.equal(nearestSentence(text, 'Quite different'), 'The group is known.')
  assert.ok(nearestSentence('word '.repeat(1_000), 'word').length <= 401)
})
