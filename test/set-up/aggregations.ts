import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startCounting } from './counting.ts'

export type Values = [string, number][]

export interface Aggregated {
  readonly aggregations: { readonly key: string; readonly values: Values }[]
  readonly group_by_value_mappings: Record<string, Record<string, string>>
  readonly split_by_value_mapping: Record<string, string> | null
  readonly total_count: number
}

/** The application of the importing test file. */
export const corvus = await startCounting()
after(() => corvus.stop())

export async function put(items: readonly object[]): Promise<void> {
  const { status, body } = await corvus.call('PUT', 'entities', { data: items })
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
}

export async function aggregate(data: object, token?: string): Promise<Aggregated> {
  const { status, body } = await corvus.call('POST', 'aggregations/entities', { data }, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

export const malware = (tag: string, data: object, more: object = {}) => ({
  data: { type: 'malware', title: tag, ...data },
  meta: { tags: [tag], ...more },
})
