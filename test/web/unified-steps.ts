import { idOf } from '../../web/api/lists.ts'
import { until } from '../until.ts'
import type { openSite } from './site.ts'

type Site = Awaited<ReturnType<typeof openSite>>

interface Made {
  readonly data: { readonly id: string }
}

/** Makes a group of the administrator, who sees everything of its source. Returns the group and its source. */
export async function makeGroup(
  site: Site,
  name: string,
): Promise<{ readonly group: number; readonly source: string }> {
  const { data: self } = await site.call<{ data: { id: number } }>('GET', 'users/self')
  const { data } = await site.call<{ data: { id: number; source: string } }>('POST', 'groups', {
    data: { name, users: [self.id] },
  })
  await site.call('PATCH', `groups/${data.id}`, { data: { sources: [`${data.source}?allowed_tlp=RED`] } })
  return { group: data.id, source: idOf(data.source) }
}

/** Makes an active policy that consolidates entities of these types. */
export async function makePolicy(site: Site, group: number, entityTypes: readonly string[]): Promise<void> {
  const policy = { name: 'Consolidate', is_active: true, merge_group: group }
  const { data } = await site.call<Made>('POST', 'consolidation-rules', { data: policy })
  await site.call('POST', `consolidation-rules/${data.id}/configurations`, {
    data: { entity_types: entityTypes, half_life_choice: 'highest', tlp_choice: 'highest' },
  })
}

/** Stores an entity of a source and returns its id. */
export async function makeEntity(site: Site, source: string, data: object, more: object = {}): Promise<string> {
  const item = { data, sources: [source], ...more }
  return (await site.call<Made>('POST', 'entities', { data: item })).data.id
}

/** Waits until an entity contributes to a unified one, and returns the id of the unified entity. */
export async function unifiedOf(site: Site, contributor: string): Promise<string> {
  const read = async () => {
    const { data } = await site.call<{ data: { meta: { is_contributor_to: string | null } } }>(
      'GET',
      `entities/${contributor}?attributes=meta.is_contributor_to`,
    )
    return data.meta.is_contributor_to
  }
  await until(async () => (await read()) !== null, 'The entity was not consolidated.')
  const search = `entities?query=${encodeURIComponent('meta.is_unified_entity:true')}&attributes=id,data.id`
  const { data } = await site.call<{ data: { id: string; data: { id: string } }[] }>('GET', search)
  const stixId = await read()
  return data.find((each) => each.data.id === stixId)?.id ?? ''
}
