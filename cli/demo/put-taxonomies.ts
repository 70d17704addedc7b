import { taxonomyLevels } from '../../server/demo/taxonomies.ts'
import { isRecord } from '../../server/domain/record.ts'
import { Refusal } from '../refusal.ts'
import type { Client } from './client.ts'

/** Creates the taxonomies that entities refer to by path, level by level, because a node refers to its parent by id. */
export async function putTaxonomies(client: Client): Promise<void> {
  const ids = new Map<string, unknown>()
  for (const level of taxonomyLevels()) {
    const items = level.map((path) => {
      const names = path.split('/')
      return { name: names.at(-1), parent: ids.get(names.slice(0, -1).join('/')) ?? null }
    })
    const answer = await client.put('/api/v2/taxonomies', items)
    const nodes = Array.isArray(answer) ? answer : []
    for (const [i, path] of level.entries()) {
      const node: unknown = nodes[i]
      if (!isRecord(node) || node.id === undefined)
        throw new Refusal(`The server did not create the taxonomy '${path}'.`)
      ids.set(path, node.id)
    }
  }
}
