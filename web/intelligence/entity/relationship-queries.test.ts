import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Relationship } from '../../api/resources.ts'
import { groupsOf, seenFrom } from './relationship-queries.ts'

const related = (source: string, key: string, target: string) =>
  ({
    data: { source: `http://h/api/v2/entities/${source}`, target: `http://h/api/v2/entities/${target}`, key },
  }) as Relationship

test('relationships are grouped by direction and type, outgoing ones first', () => {
  const seen = seenFrom(new Set(['me']), [
    related('b', 'uses', 'me'),
    related('me', 'uses', 'a'),
    related('me', 'targets', 'c'),
  ])
  assert.deepEqual(
    groupsOf(seen).map(({ isOut, key, members }) => [isOut, key, members.map(({ otherId }) => otherId)]),
    [
      [true, 'targets', ['c']],
      [true, 'uses', ['a']],
      [false, 'uses', ['b']],
    ],
  )
})

test('relationships of several contributors name the one that they belong to', () => {
  const seen = seenFrom(new Set(['me', 'twin']), [
    related('twin', 'uses', 'a'),
    related('b', 'uses', 'me'),
    related('me', 'related-to', 'twin'),
  ])
  assert.deepEqual(
    seen.map(({ isOut, ownId, otherId }) => [isOut, ownId, otherId]),
    [
      [true, 'twin', 'a'],
      [false, 'me', 'b'],
      [true, 'me', 'twin'],
    ],
  )
})
