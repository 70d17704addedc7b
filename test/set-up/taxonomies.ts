import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type Answered, BASE } from '../app.ts'
import { startCounting } from './counting.ts'

export interface Node {
  readonly id: number
  readonly name: string
  readonly path: string[]
  readonly [field: string]: unknown
}

/** The application of the importing test file. */
export const corvus = await startCounting()
after(() => corvus.stop())

export const url = (id: number | undefined) => `${BASE}/api/v2/taxonomies/${id}`
export const post = (data: unknown) => corvus.call('POST', 'taxonomies', { data })
export const put = (data: unknown) => corvus.call('PUT', 'taxonomies', { data })
export const patch = (id: number, data: unknown) => corvus.call('PATCH', `taxonomies/${id}`, { data })
export const get = async (id: number): Promise<Node> => (await corvus.call('GET', `taxonomies/${id}`)).body.data
export const total = async () => (await corvus.call('GET', 'taxonomies?data=false')).body.total_count
export const pathsIn = ({ body }: Answered) => body.data.map(({ path }: Node) => path.join('/'))

/** Creates a path and returns its nodes, root first. */
export async function make(...path: string[]): Promise<Node[]> {
  const { status, body } = await post({ path })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export const lastOf = async (...path: string[]): Promise<Node> => (await make(...path)).at(-1) as Node
