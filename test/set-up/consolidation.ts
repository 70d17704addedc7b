import assert from 'node:assert/strict'
import { after } from 'node:test'
import { z } from 'zod'
import { defineTask, type Task } from '../../server/background/task.ts'
import { taskTypes } from '../../server/tasks.ts'
import { type Answered, type Method, startApp } from '../app.ts'

/** The application of the importing test file, with what tests of policies do again and again. */
export const corvus = await startApp()
after(() => corvus.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Item = Record<string, any>

// Until the tasks are defined.
for (const type of ['consolidation', 'dissolve-unified-entities']) {
  if (!taskTypes.has(type))
    (taskTypes as Map<string, Task>).set(
      type,
      defineTask({
        type,
        doc: type,
        parameters: z.looseObject({}),
        isUnique: true,
        run: async () => ({ result: null }),
      }),
    )
}

let counter = 0

/** Calls the API, requires a success, and returns the data. */
export async function ask(method: Method, path: string, data?: unknown, token = corvus.admin): Promise<Item> {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

/** Calls the API, requires a refusal, and returns its details. */
export async function refused(
  status: number,
  method: Method,
  path: string,
  data?: unknown,
  token = corvus.admin,
): Promise<string[]> {
  const answer = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return detailsOf(answer)
}

const detailsOf = ({ body }: Answered): string[] => body.map(({ detail }: { detail: string }) => detail)

/** A group of the administrator. */
export async function makeGroup(more: Item = {}): Promise<Item & { id: number; source: string }> {
  const { id } = await ask('GET', 'users/self')
  return ask('POST', 'groups', { name: `Group ${++counter}`, users: [id], ...more }) as never
}

/** An active policy without configurations. */
export async function makePolicy(more: Item = {}, token = corvus.admin): Promise<Item & { id: number; task: string }> {
  const group = more.merge_group ?? (await makeGroup()).id
  return ask(
    'POST',
    'consolidation-rules',
    { name: `Policy ${++counter}`, is_active: true, merge_group: group, ...more },
    token,
  ) as never
}

/** A configuration of a policy. */
export const configure = (policy: number, more: Item = {}): Promise<Item> =>
  ask('POST', `consolidation-rules/${policy}/configurations`, {
    entity_types: ['malware'],
    half_life_choice: 'latest',
    tlp_choice: 'highest',
    ...more,
  })

/** The states of the runs of a task, the oldest first. */
export async function runsOf(task: string): Promise<string[]> {
  const id = task.split('/').at(-1)
  const { body } = await corvus.call('GET', `tasks/runs?filter[task]=${id}&sort=created_at`)
  return body.data.map(({ state }: Item) => state)
}
