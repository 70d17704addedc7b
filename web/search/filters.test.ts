import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterValue, readFilter, wholeQuery, withFilter, withoutFilter, writeFilter } from './filters.ts'

const read = (text: string) => {
  const filter = readFilter(text)
  assert.ok(filter, text)
  return filter
}

test('filters survive a round trip', () => {
  for (const text of ['type:malware', '-tags:a:b c', 'created_at:now-7d', 'created_at:2026-01-01..', 'tags:"x" OR y']) {
    assert.equal(writeFilter(read(text)), text)
  }
})

test('invalid filters and invalid times are ignored', () => {
  for (const text of ['', 'type', 'type:', ':x', 'created_at:yesterday', 'created_at:..', 'created_at:now-7d] OR *']) {
    assert.equal(readFilter(text), undefined, text)
  }
})

test('values of one field are alternatives, fields are combined, and the typed query stays intact', () => {
  const filters = ['type:malware', 'type:tool', 'tags:a "b" \\', '-tags:old', 'created_at:now-7d'].map(read)
  assert.equal(
    wholeQuery('a OR b', filters),
    '+(a OR b) +(type:"malware" OR type:"tool") +tags:"a \\"b\\" \\\\" +created_at:[now-7d TO *] -tags:"old"',
  )
  assert.equal(wholeQuery(' a OR b ', []), 'a OR b')
  assert.equal(wholeQuery('', [read('created_at:..2026-02-01')]), '+created_at:[* TO 2026-02-01]')
  assert.equal(wholeQuery(' ', []), '')
})

test('a filter on an observable value may be defanged', () => {
  assert.equal(wholeQuery('', [read('extracts.value:evil[.]example')]), '+extracts.value:"evil.example"')
  assert.equal(wholeQuery('', [read('value:hxxp[:]//a.example/')]), '+value:"http://a.example/"')
  assert.equal(wholeQuery('', [read('tags:a[.]b')]), '+tags:"a[.]b"')
})

test('a value is listed once, and a time field has one range', () => {
  const both = withFilter(withFilter([], read('type:tool')), read('-type:tool'))
  assert.deepEqual(both.map(writeFilter), ['-type:tool'])
  const times = withFilter(withFilter(both, read('created_at:now-7d')), read('created_at:now-1d'))
  assert.deepEqual(times.map(writeFilter), ['-type:tool', 'created_at:now-1d'])
  assert.deepEqual(withoutFilter(times, read('type:tool')).map(writeFilter), ['created_at:now-1d'])
})

test('time ranges have readable labels', () => {
  const words = ['now-7d', 'now-1y', '2026-01-01..2026-02-01', '2026-01-01..', '..2026-02-01'].map((value) =>
    filterValue({ field: 'created_at', value }),
  )
  assert.deepEqual(words, [
    'last 7 days',
    'last year',
    '2026-01-01 to 2026-02-01',
    'since 2026-01-01',
    'until 2026-02-01',
  ])
})
