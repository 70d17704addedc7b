import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startApp } from '../app.ts'

/** The application of the importing test file. */
export const corvus = await startApp()
after(() => corvus.stop())

export const indicator = (title: string, more: object = {}) => ({ data: { type: 'indicator', title, ...more } })

export async function make(item: object) {
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export async function count(query: string): Promise<number> {
  const { status, body } = await corvus.call('GET', `entities?data=false&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.total_count
}
