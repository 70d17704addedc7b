import assert from 'node:assert/strict'
import { idOf } from '../../web/api/lists.ts'
import { insertUnified } from '../set-up/unified-entities.ts'
import { until } from '../until.ts'
import type { openSite } from './site.ts'

type Site = Awaited<ReturnType<typeof openSite>>

interface Made {
  readonly data: { readonly id: string }
}

/** Makes a group of the administrator, who sees everything of its source, and returns the id of the source. */
export async function makeSource(site: Site, name: string): Promise<string> {
  const { data: self } = await site.call<{ data: { id: number } }>('GET', 'users/self')
  const { data } = await site.call<{ data: { id: number; source: string } }>('POST', 'groups', {
    data: { name, users: [self.id] },
  })
  const sources = [`${data.source}?allowed_tlp=RED`]
  await site.call('PATCH', `groups/${data.id}`, { data: { sources } })
  return idOf(data.source)
}

/** Stores an entity of a source and returns its id. */
export async function makeEntity(site: Site, source: string, data: object, more: object = {}): Promise<string> {
  const item = { data, sources: [source], ...more }
  return (await site.call<Made>('POST', 'entities', { data: item })).data.id
}

/** Stores a unified entity without the engine, and waits until the administrator sees it. */
export async function unify(
  site: Site,
  contributors: readonly string[],
  source: string,
  title: string,
): Promise<string> {
  const id = await insertUnified(site.db, contributors, source, title)
  const isSeen = async () => {
    const { total_count } = await site.call<{ total_count: number }>('GET', `entities?filter[id]=${id}`)
    return total_count === 1
  }
  await until(isSeen, 'The administrator does not see the unified entity.')
  assert.ok(id)
  return id
}
