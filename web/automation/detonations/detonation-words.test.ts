import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOf, remedyOf, sampleName, searchFilter } from './detonation-words.ts'

test('progress grows from state to state and is complete at the end', () => {
  const states = ['WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING', 'FINISHED'] as const
  const percents = states.map((state) => progressOf({ state }).percent)
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  )
  assert.equal(percents.at(-1), 100)
  assert.equal(progressOf({ state: 'RUNNING' }).text, 'The sandbox is running the sample')
})

test('a detonation without a report says what to do next', () => {
  assert.equal(remedyOf({ state: 'FINISHED', vendor_url: null }), null)
  assert.match(remedyOf({ state: 'FAILED', vendor_url: 'https://vendor.example/1' }) ?? '', /at the vendor/)
  assert.match(remedyOf({ state: 'FAILED', vendor_url: null }) ?? '', /test the connection/)
  assert.match(remedyOf({ state: 'REFUSED', vendor_url: null }) ?? '', /Nothing was sent/)
})

test('samples are named by file name or hash, and addresses are defanged', () => {
  const hashes = { md5: 'a', sha1: 'b', sha256: '0123456789abcdef0123' }
  assert.equal(sampleName({ kind: 'file', filename: 'a.exe', url: null, hashes }), 'a.exe')
  assert.equal(sampleName({ kind: 'file', filename: '', url: null, hashes }), '0123456789abcdef…')
  assert.equal(
    sampleName({ kind: 'url', filename: '', url: 'https://bad.example/x', hashes: null }).includes('[.]'),
    true,
  )
})

test('a search is for a hash of any of the three kinds, or for a URL, also defanged', () => {
  assert.deepEqual(searchFilter(' '.concat('A'.repeat(32))), { 'filter[hashes.md5]': 'a'.repeat(32) })
  assert.deepEqual(searchFilter('b'.repeat(40)), { 'filter[hashes.sha1]': 'b'.repeat(40) })
  assert.deepEqual(searchFilter('c'.repeat(64)), { 'filter[hashes.sha256]': 'c'.repeat(64) })
  assert.deepEqual(searchFilter('hxxps://bad[.]example/x'), { 'filter[url]': 'https://bad.example/x' })
  assert.equal(searchFilter('abc'), undefined)
  assert.equal(searchFilter('invoice.exe'), undefined)
})
