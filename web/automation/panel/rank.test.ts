import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankOf } from './rank.ts'
import { sourcePage } from './source-page.ts'

const result = (id: number, state: 'FOUND' | 'EMPTY' | 'FAILED' | 'PENDING', ...levels: string[]) => ({
  id,
  state,
  findings: levels.map((maliciousness) => ({ kind: 'verdict', maliciousness })),
})

test('the strongest verdict comes first, and results that say nothing come last', () => {
  const rows = [
    result(1, 'EMPTY'),
    result(2, 'FOUND', 'safe'),
    result(3, 'FAILED'),
    result(4, 'FOUND'),
    result(5, 'FOUND', 'low', 'high'),
    result(6, 'FAILED', 'medium'),
    result(7, 'EMPTY'),
  ]
  assert.deepEqual(
    [...rows].sort((a, b) => rankOf(a) - rankOf(b)).map(({ id }) => id),
    [5, 6, 2, 4, 3, 1, 7],
  )
})

test('the page of an observable at the source has its value encoded', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of the API
  const urls = { domain: 'https://look.example/d/${input}?q=${input}' }
  assert.equal(sourcePage(urls, { type: 'domain', value: 'a/b$&' }), 'https://look.example/d/a%2Fb%24%26?q=a%2Fb%24%26')
  assert.equal(sourcePage(urls, { type: 'ipv4', value: '192.0.2.1' }), null)
  assert.equal(sourcePage(undefined, { type: 'domain', value: 'a' }), null)
})
