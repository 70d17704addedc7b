import assert from 'node:assert/strict'
import { corvus, ended, type Item, make } from './by-query.ts'

export { corvus, type Item, make } from './by-query.ts'

/** Creates a rule, which is active unless it says otherwise. */
export const makeRule = (rule: Item, token = corvus.admin): Promise<Item & { id: number; task: string }> =>
  make('entities/rules', { is_active: true, name: `Rule ${Math.random()}`, ...rule }, token) as never

/** Deletes all rules, so that those of other tests do nothing. */
export async function withoutRules(): Promise<void> {
  const { body } = await corvus.call('GET', 'entities/rules?limit=1000')
  for (const { id } of body.data) assert.equal((await corvus.call('DELETE', `entities/rules/${id}`)).status, 204)
}

/** Writes entities as they are given, and returns them as the API answers. */
export async function put(items: readonly Item[], token = corvus.admin): Promise<Entity[]> {
  const { status, body } = await corvus.call('PUT', 'entities', items, token)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

export interface Entity extends Item {
  readonly id: string
  readonly data: Item & { readonly type: string; readonly title: string }
  readonly meta: Item & {
    readonly tags: string[]
    readonly taxonomies: string[]
    readonly tlp_color: string | null
    readonly alias?: string
  }
  readonly datasets: string[]
}

export const get = async (id: string, token = corvus.admin): Promise<Entity> =>
  (await corvus.call('GET', `entities/${id}`, undefined, token)).body.data

/** Runs a rule on existing entities and waits for the end. */
export async function runRule({ task }: { readonly task: string }): Promise<Item & { result: Item; state: string }> {
  const { status, body } = await corvus.call('POST', 'tasks/runs', { data: { task } })
  assert.equal(status, 201, JSON.stringify(body))
  return waitFor(`tasks/runs/${body.data.id}`)
}

/** Waits until the run at this path has ended, and returns it. */
export const waitFor = (path: string): Promise<Item & { id: string; result: Item; state: string }> =>
  ended(`/api/v2/${path}`)

/** Takes back what a rule did, and waits for the end. */
export async function undo(rule: number, scope: Item = {}): Promise<Item> {
  const { status, body } = await corvus.call('POST', `entities/rules/${rule}/undo`, { data: scope })
  if (scope.dry_run) return body.data
  assert.equal(status, 202, JSON.stringify(body))
  const run = await waitFor(`tasks/runs/${body.data.task_run.split('/').at(-1)}`)
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  return run.result
}

/** A user with these permissions who sees the intelligence of the administrator only up to a colour. */
export async function readerUpTo(tlp: string, permissions: readonly string[]): Promise<{ token: string; id: number }> {
  const token = await corvus.tokenFor(permissions)
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const groups = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  const { source } = (await corvus.call('GET', `groups/${groups[0].id}`)).body.data
  const group = await make('groups', { name: `Readers ${Math.random()}`, users: [id] })
  const sources = [source, group.source].map((each) => `${each}?allowed_tlp=${tlp}`)
  assert.equal((await corvus.call('PATCH', `groups/${group.id}`, { data: { sources } })).status, 200)
  // The administrator, who owns most rules, sees what the user writes.
  const admin = (await corvus.call('GET', 'users/self')).body.data.id
  await make('groups', {
    name: `Administrators ${Math.random()}`,
    users: [admin],
    sources: [`${group.source}?allowed_tlp=RED`],
  })
  const left = await corvus.call('DELETE', `groups/${groups[0].id}/users/${id}`)
  assert.equal(left.status, 204, JSON.stringify(left.body))
  return { token, id }
}
