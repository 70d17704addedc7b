import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('/private and /api tell whether a token is valid', async () => {
  for (const path of ['/private', '/private/', '/api', '/api/']) {
    assert.equal((await corvus.call('GET', path)).status, 200, path)
    assert.equal((await corvus.call('GET', path, undefined, 'wrong')).status, 401, path)
    assert.equal((await corvus.call('GET', path, undefined, null)).status, 401, path)
  }
})

test('/private/users/me is users/self', async () => {
  const self = await corvus.call('GET', 'users/self')
  assert.deepEqual((await corvus.call('GET', '/private/users/me')).body, self.body)
})

test('/private/groups/ lists groups with plain source ids', async () => {
  const { body } = await corvus.call('GET', '/private/groups/?filter[name]=Default')
  const groups = await corvus.call('GET', 'groups?filter[name]=Default')
  const [expected] = groups.body.data
  assert.deepEqual(body, { ...groups.body, data: [{ ...expected, source: expected.source.split('/').at(-1) }] })
  assert.match(body.data[0].source, /^[0-9a-f-]{36}$/)
  assert.equal((await corvus.call('GET', '/private/groups/?data=false')).body.total_count, 1)
  const token = await corvus.tokenFor([])
  assert.equal((await corvus.call('GET', '/private/groups/', undefined, token)).status, 403)
})
