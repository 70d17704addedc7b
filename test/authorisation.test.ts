import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { collections } from '../server/collections.ts'
import { PERMISSIONS as permissions } from '../server/domain/permissions.ts'
import { isWrite, type Route } from '../server/engine/route.ts'
import { describe as describeRoute } from '../server/http/openapi/describe.ts'
import { routes } from '../server/registry.ts'
import { startApp } from './app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

/** The route's path with ids filled in. Permissions are checked before objects are looked up, so none need exist. */
function pathOf({ path, base = '/api/v2', doc }: Route): string {
  const own = 'verb' in doc ? collections[doc.resource.collection].id : 'integer'
  const id = own === 'uuid' ? '00000000-0000-7000-8000-000000000000' : '999999'
  return `${base}${path.replace(':id', id).replace(':relation_id', '999999')}`
}

const guarded = routes.filter(({ permission }) => permission !== 'public')

test('every permission that a route asks for exists', () => {
  const asked = routes.flatMap(({ permission }) => (permission === null || permission === 'public' ? [] : [permission]))
  assert.deepEqual(
    asked.filter((name) => !permissions.includes(name)),
    [],
  )
})

test('a route that changes something asks for more than a sign-in, or acts on the caller alone', () => {
  const open = routes.filter((route) => isWrite(route) && route.permission === null)
  assert.deepEqual(
    open.filter(({ path }) => !/^\/(users\/self|session)/.test(path)).map(({ path }) => path),
    [],
  )
})

test('the permissions fit on one page', async () => {
  const { body } = await corvus.call('GET', 'permissions')
  assert.equal(body.count, permissions.length)
  assert.equal(body.cursor, null)
})

/** What a route without a body asks for in addition to its permission; of other routes, this depends on the body. */
const alwaysAsked = (route: Route): readonly string[] => (route.guards?.length === 0 ? route.guards(undefined) : [])

for (const route of guarded) {
  const { operationId } = describeRoute(route)
  describe(`${route.method} ${route.path} (${operationId})`, () => {
    const ask = (token: string | null) =>
      corvus.call(route.method, pathOf(route), isWrite(route) ? '{"data": 7}' : undefined, token)

    test('without a token, or with a bad one, is a 401', async () => {
      for (const token of [null, 'nonsense', `cvs_${'A'.repeat(43)}`]) {
        const { status, body } = await ask(token)
        assert.equal(status, 401)
        assert.equal((body[0] ?? body).title, 'Unauthorized')
      }
    })

    if (route.permission !== null) {
      const needed = route.permission
      test(`with every permission but "${needed}" is a 403 that names it`, async () => {
        const { status, body } = await ask(await corvus.tokenFor(permissions.filter((name) => name !== needed)))
        assert.equal(status, 403, JSON.stringify(body))
        // TAXII routes respond with one error message, all others with a list of errors.
        assert.equal(body[0]?.detail ?? body.description, `Missing permissions: [${needed}]`)
      })

      test(`with "${[needed, ...alwaysAsked(route)]}" alone goes past the gate`, async () => {
        const { status, body } = await ask(await corvus.tokenFor([needed, ...alwaysAsked(route)]))
        const isThrough = status < 400 || [400, 404, 409, 415].includes(status)
        assert.ok(isThrough, `${status} ${JSON.stringify(body)}`)
      })
    }
  })
}
