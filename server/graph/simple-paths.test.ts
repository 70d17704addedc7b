import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simplePaths } from './simple-paths.ts'

/** A complete graph. */
const complete = (size: number) => {
  const names = Array.from({ length: size }, (_, i) => String.fromCharCode(97 + i))
  return new Map(names.map((name) => [name, new Set(names.filter((other) => other !== name))]))
}

const paths = (edges: ReadonlyMap<string, ReadonlySet<string>>, length: number, left = 1000) => [
  ...simplePaths(edges, 'a', 'b', length, { left }).map((path) => path.join('')),
]

test('paths of one length are ordered by their nodes and repeat none', () => {
  assert.deepEqual(paths(complete(4), 1), ['ab'])
  assert.deepEqual(paths(complete(4), 2), ['acb', 'adb'])
  assert.deepEqual(paths(complete(4), 3), ['acdb', 'adcb'])
  assert.deepEqual(paths(complete(4), 4), [])
  assert.deepEqual(paths(new Map(), 1), [])
})

test('dead ends are not tried', () => {
  const dead = new Set(Array.from({ length: 1000 }, (_, i) => `x${i}`))
  const edges = new Map([
    ['a', new Set([...dead, 'c'])],
    ['c', new Set(['a', 'b'])],
    ['b', new Set(['c'])],
  ])
  assert.deepEqual(paths(edges, 2, 2), ['acb'])
})

test('the search ends when the effort is used up, and reports it', () => {
  const effort = { left: 50 }
  const found = [...simplePaths(complete(20), 'a', 'b', 6, effort)]
  assert.ok(found.length < 50)
  assert.ok(effort.left < 0)
})
