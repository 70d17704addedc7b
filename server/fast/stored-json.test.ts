import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoredJson, serializeBody } from './stored-json.ts'

test('a body is the same JSON whether parts of it were serialised before or not', () => {
  const item = (n: number) => ({ id: n, 'a"b': undefined, data: { text: `"\u2028${n}`, list: [n, null] }, more: [] })
  for (const body of [
    { data: [item(1), item(2)] },
    { count: 2, data: [item(1)], cursor: null },
    { data: item(1) },
    [1],
    null,
  ]) {
    const plain = JSON.stringify(body)
    const items = [(body as { data?: unknown } | null)?.data ?? []].flat() as { data: object }[]
    for (const each of items) each.data = new StoredJson(JSON.stringify(each.data))
    assert.deepEqual(JSON.parse(serializeBody(body).toString()), JSON.parse(plain))
  }
})
