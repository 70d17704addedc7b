import assert from 'node:assert/strict'
import type { Answered, Method, startApp } from '../app.ts'

type App = Awaited<ReturnType<typeof startApp>>

/** Calls the API as the administrator, requires a success, and returns its body. */
export async function ok(app: App, method: Method, path: string, body?: unknown): Promise<Answered['body']> {
  const answer = await app.call(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Functions that write to a collection of an application that is started later. */
export function writing(app: () => App, path: string) {
  const post = (data: object): Promise<Answered> => app().call('POST', path, { data })
  return {
    post,
    patch: (id: number, data: object): Promise<Answered> => app().call('PATCH', `${path}/${id}`, { data }),
    make: async (data: object): Promise<Answered['body']> => {
      const { status, body } = await post(data)
      assert.equal(status, 201, JSON.stringify(body))
      return body.data
    },
  }
}
