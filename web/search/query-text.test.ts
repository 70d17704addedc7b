import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asTerm, complete, prefixQuery, typedAt } from './query-text.ts'

/** The bar marks the cursor. */
function at(marked: string) {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  return { text, typed: typedAt(text, caret) }
}

const found = (marked: string) => {
  const { typed } = at(marked)
  return typed && [typed.kind, typed.field, typed.prefix]
}

test('the part of the query at the cursor is recognised', () => {
  assert.deepEqual(found('ta|'), ['field', '', 'ta'])
  assert.deepEqual(found('type:malware AND -meta.t|'), ['field', '', 'meta.t'])
  assert.deepEqual(found('tags:|'), ['value', 'tags', ''])
  assert.deepEqual(found('a tags:ph| b'), ['value', 'tags', 'ph'])
  assert.deepEqual(found('tags:"two wo|rds"'), ['value', 'tags', 'two wo'])
  assert.deepEqual(found('tags:(one OR "x y" OR tw|'), ['value', 'tags', 'tw'])
  assert.deepEqual(found('sources.name:("My so|'), ['value', 'sources.name', 'My so'])
  for (const nothing of ['|', 'a |', '"a wo|rd"', 'a AND|', 'type:x OR|', 'created_at:[no|', 'data.title:/a|/']) {
    assert.equal(found(nothing), undefined, nothing)
  }
})

test('a suggestion replaces the typed text, and the cursor is placed after it', () => {
  const chosen = (marked: string, value: string) => {
    const { text, typed } = at(marked)
    assert.ok(typed)
    const done = complete(text, typed, value)
    return `${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`
  }
  assert.equal(chosen('ty| AND x', 'type'), 'type:| AND x')
  assert.equal(chosen('type:ma|', 'malware'), 'type:malware |')
  assert.equal(chosen('tags:"a|" AND x', 'a "b"'), 'tags:"a \\"b\\""| AND x')
  assert.equal(chosen('tags:(x OR y|)', 'y z'), 'tags:(x OR "y z"|)')
})

test('values are quoted if the query language would read them differently', () => {
  for (const plain of ['malware', 'wi-fi', 'a.example', 'Ärger', 'now-7d', '[now-7d TO now]'])
    assert.equal(asTerm(plain), plain)
  for (const other of ['a b', 'OR', 'a:b', '-a', '10.0.0.0/8', 'x*']) assert.equal(asTerm(other), `"${other}"`)
})

test('special characters in a prefix are escaped', () => {
  assert.equal(prefixQuery('tags', 'a b*'), 'tags:a\\ b\\**')
  assert.equal(prefixQuery('tags', ' '), undefined)
})
