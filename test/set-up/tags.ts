import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startCounting } from './counting.ts'

interface Tag {
  readonly name: string
  readonly count: number
}

/** The application of the importing test file. */
export const corvus = await startCounting()
after(() => corvus.stop())

/** Creates an entity with these tags and returns it. */
export async function tagged(tags: string[], more: Record<string, unknown> = {}) {
  const item = { data: { type: 'malware', title: tags.join(' ') }, meta: { tags }, ...more }
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export const read = async (id: string) => (await corvus.call('GET', `entities/${id}`)).body.data
export const tagsOf = async (id: string): Promise<string[]> => (await read(id)).meta.tags
export const at = (name: string) => `tags/${encodeURIComponent(name)}`
export const rename = (from: string, name: unknown) => corvus.call('PATCH', at(from), { data: { name } })
export const merge = (tags: unknown, into: unknown) => corvus.call('POST', 'tags/merge', { data: { tags, into } })
export const list = async (query: string): Promise<Tag[]> => (await corvus.call('GET', `tags?${query}`)).body.data
export const found = async (tag: string) =>
  (await corvus.call('GET', `entities?filter[tags]=${encodeURIComponent(tag)}`)).body.data.map(
    ({ id }: { id: string }) => id,
  )
