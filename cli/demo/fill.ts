import { isRecord } from '../../server/domain/record.ts'
import { Refusal } from '../refusal.ts'
import type { Client } from './client.ts'
import { isUuid } from './ids.ts'
import { type Loaded, load } from './load.ts'
import { putDefinitions } from './put-definitions.ts'
import { putTaxonomies } from './put-taxonomies.ts'

interface Asked {
  readonly entities: number
  readonly seed: number
  /** By default as many as entities. */
  readonly relationships?: number
}

/** Fills a server with demo data under the source of the caller's first group. */
export async function fill(client: Client, asked: Asked, isStopping: () => boolean = () => false): Promise<Loaded> {
  const { entities, seed } = asked
  const relationships = entities < 2 ? 0 : (asked.relationships ?? entities)
  const source = await sourceOf(client)
  await putTaxonomies(client)
  await putDefinitions(client)
  return load({ seed, entities, relationships, source }, { client, screen: process.stderr, isStopping })
}

/** The source of the first group of the token's owner. */
async function sourceOf(client: Client): Promise<string> {
  const self = await client.get('/api/v2/users/self')
  const groups = isRecord(self) && Array.isArray(self.groups) ? self.groups : []
  if (groups.length === 0)
    throw new Refusal('The owner of the token belongs to no group, so the data would have no source.')
  // By id, because the server's public URL need not be reachable from here.
  const group = await client.get(`/api/v2/groups/${idOf(groups[0])}`)
  const source = idOf(isRecord(group) ? group.source : undefined)
  if (!isUuid(source)) throw new Refusal(`The group ${idOf(groups[0])} has no source.`)
  return source
}

const idOf = (reference: unknown): string => String(reference).split('?')[0]?.split('/').at(-1) ?? ''
