import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { collections } from '../server/collections.ts'
import type { Resource } from '../server/engine/definition.ts'
import { linkableFields } from '../server/engine/relations.ts'
import { routesOf } from '../server/engine/routes.ts'
import { resources } from '../server/registry.ts'
import { type Answered, BASE, startApp } from './app.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
  // The example of a mapping refers to this attribute.
  const provider = resources.find(({ collection }) => collection === 'identity_providers')?.example
  await corvus.call('POST', 'identity-providers', { data: provider })
})
after(() => corvus.stop())

let counter = 0

/** A unique example: the text of its key, which may be inside a document, is made unique. */
function fresh({ example = {}, key }: Resource): Item {
  const unique = structuredClone(example) as Item
  if (key.includes('id')) return { ...unique, id: randomUUID() }
  for (const path of key.toReversed()) {
    const [name = '', inner] = path.split('.')
    const holder = (inner === undefined ? unique : unique[name]) as Item | undefined
    const field = inner ?? name
    const value = holder?.[field]
    if (!holder || typeof value !== 'string') continue
    counter++
    holder[field] = URL.canParse(value) ? `${value}/${counter}` : `${counter}${value}`
    break
  }
  return unique
}

/** The fields of the example that are returned as sent: plain values, but not references or secrets. */
function plain({ fields }: Resource, item: Item): Item {
  const isPlain = (name: string) => {
    const props = fields[name]?.props
    const isColumn = props?.storage.kind === 'column' && props.storage.type !== 'timestamptz'
    return isColumn && props?.access === 'read-write'
  }
  return Object.fromEntries(Object.entries(item).filter(([name]) => isPlain(name)))
}

function assertRefused(answer: Answered, status: number): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.ok(Array.isArray(answer.body) && answer.body.length > 0, 'an error is a list')
  for (const fault of answer.body) {
    assert.deepEqual(Object.keys(fault), ['status', 'title', 'detail'])
    assert.equal(fault.status, status)
  }
}

for (const resource of resources) {
  const { operations, permission } = resource
  const { path, id: idType } = collections[resource.collection]
  const unknown = idType === 'uuid' ? '00000000-0000-7000-8000-000000000000' : 2 ** 31 - 1

  describe(`the contract of ${resource.collection}`, () => {
    test('a list has the envelope of the contract', async () => {
      const { status, body } = await corvus.call('GET', `${path}?limit=1`)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['count', 'data', 'limit', 'offset', 'total_count', 'cursor'])
      for (const name of ['count', 'limit', 'offset', 'total_count']) assert.ok(Number.isInteger(body[name]), name)
      assert.deepEqual(Object.keys((await corvus.call('GET', `${path}?data=false`)).body), ['total_count'])
    })

    test('the last page has no cursor, and every page before it has one', async () => {
      // Every request adds a row to this collection.
      if (resource.collection === 'audit_trail') return
      const { total_count: total } = (await corvus.call('GET', `${path}?data=false`)).body
      const cursorOf = async (limit: number) => (await corvus.call('GET', `${path}?limit=${limit}`)).body.cursor
      if (total > 0 && total <= 2000) assert.equal(await cursorOf(total), null, `a full page of all ${total}`)
      if (total > 1 && total <= 2000) assert.equal(typeof (await cursorOf(total - 1)), 'string', 'one is left')
    })

    test('every field can be filtered on, and every plain field can be sorted by', async () => {
      for (const [name, { props }] of Object.entries(resource.fields)) {
        if (['write-only', 'secret', 'hidden'].includes(props.access)) continue
        const { storage } = props
        const filter = resource.search?.filters?.[name]?.props.storage
        const allowed = filter?.kind === 'searched' ? filter.values?.[0] : undefined
        const type = 'type' in storage ? storage.type : 'ref'
        const to = 'to' in storage && storage.to ? collections[storage.to].id : null
        const value =
          allowed ??
          ([to, type].includes('uuid') ? '00000000-0000-7000-8000-000000000000' : to === 'integer' ? '1' : null) ??
          { timestamptz: '2020-01-01', boolean: 'true', integer: '1', real: '1', 'double precision': '1', bigint: '1' }[
            type
          ] ??
          'x'
        const filtered = await corvus.call('GET', `${path}?filter[${name}]=${value}&filter[!${name}]=${value}`)
        assert.equal(filtered.status, 200, `${name}: ${JSON.stringify(filtered.body)}`)
        assert.equal(filtered.body.total_count, 0, `${name} is and is not ${value}`)
        const isSortable = storage.kind !== 'refs' && !['text[]', 'jsonb'].includes(type)
        const sorted = await corvus.call('GET', `${path}?sort=-${name}&limit=2`)
        assert.equal(sorted.status, isSortable ? 200 : 400, name)
      }
    })

    test('unknown objects, fields and parameters are refused with errors in the documented shape', async () => {
      assertRefused(await corvus.call('GET', `${path}/${unknown}`), operations.get ? 404 : 405)
      assertRefused(await corvus.call('GET', `${path}/no-id`), operations.get ? 404 : 405)
      assertRefused(await corvus.call('GET', `${path}?filter[no_such_field]=1`), 400)
      assertRefused(await corvus.call('GET', `${path}?sort=no_such_field`), 400)
      assertRefused(await corvus.call('GET', `${path}?limit=0`), 400)
      assertRefused(await corvus.call('GET', `${path}?limit=2001`), 400)
      assertRefused(await corvus.call('GET', `${path}?page[cursor]=xyz`), 400)
    })

    test('a 403 names the missing permission', async () => {
      const token = await corvus.tokenFor([])
      const answer = await corvus.call('GET', path, undefined, token)
      assertRefused(answer, 403)
      assert.equal(answer.body[0].detail, `Missing permissions: [read ${permission}]`)
      assertRefused(await corvus.call('GET', path, undefined, null), 401)
    })

    if (operations.create && resource.example) {
      test('an object is created, read, changed and deleted', async () => {
        const item = fresh(resource)
        const made = await corvus.call('POST', path, {
          data: { id: 424242, ...item, no_such_field: 1, created_at: 'x' },
        })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        // If more objects are created than requested, the requested one is the last.
        const data = Array.isArray(made.body.data) ? made.body.data.at(-1) : made.body.data
        assert.notEqual(data.id, 424242, 'read-only fields are ignored')
        // Documents are returned with fields that the server adds.
        assert.partialDeepStrictEqual(data, plain(resource, item))
        for (const [name, { props }] of Object.entries(resource.fields)) {
          const isShown = props.access !== 'write-only' && props.access !== 'hidden'
          assert.equal(name in data, isShown, name)
          if (props.storage.kind === 'refs' && isShown) assert.ok(Array.isArray(data[name]), name)
        }
        const url = `${path}/${data.id}`
        const read = await corvus.call('GET', `${url}/`)
        assert.equal(read.status, 200)
        for (const name of Object.keys(resource.fields).filter((each) => each in read.body.data)) {
          const alone = await corvus.call('GET', `${path}?filter[id]=${data.id}&attributes=${name}`)
          assert.equal(alone.status, 200, `${name}: ${JSON.stringify(alone.body)}`)
          for (const row of alone.body.data) assert.ok(name in row, name)
        }
        if (operations.update) {
          const changed = await corvus.call('PATCH', url, { data: {} })
          assert.equal(changed.status, 200, JSON.stringify(changed.body))
          assert.deepEqual({ ...changed.body.data, ...touched(resource) }, { ...read.body.data, ...touched(resource) })
        }
        if (operations.remove && resource.collection !== 'task_runs') {
          assert.equal((await corvus.call('DELETE', url, null)).status, 204)
          assertRefused(await corvus.call('GET', url), 404)
          assertRefused(await corvus.call('DELETE', url, null), 404)
        }
      })

      const resettable = Object.entries(resource.fields).filter(([, { props }]) => {
        const { storage, access, isNullable, fallback } = props
        const isFlag = storage.kind === 'column' && storage.type === 'boolean'
        return operations.update && isFlag && access === 'read-write' && !isNullable && typeof fallback === 'boolean'
      })
      for (const [name, { props }] of resettable) {
        test(`null in a PATCH sets ${name} back to its default`, async () => {
          const made = await corvus.call('POST', path, { data: { ...fresh(resource), [name]: !props.fallback } })
          assert.equal(made.status, 201, JSON.stringify(made.body))
          const { data } = made.body
          assert.equal(data[name], !props.fallback)
          const reset = await corvus.call('PATCH', `${path}/${data.id}`, { data: { [name]: null } })
          assert.equal(reset.status, 200, JSON.stringify(reset.body))
          assert.equal(reset.body.data[name], props.fallback)
          if (operations.remove) await corvus.call('DELETE', `${path}/${data.id}`)
        })
      }

      if (operations.update) {
        test('null in a PATCH of any field is accepted or refused with a 400', async () => {
          const { body } = await corvus.call('POST', path, { data: fresh(resource) })
          const { id } = Array.isArray(body.data) ? body.data.at(-1) : body.data
          for (const name of Object.keys(resource.fields)) {
            const { status } = await corvus.call('PATCH', `${path}/${id}`, { data: { [name]: null } })
            assert.ok([200, 400, 409].includes(status), `${name}: ${status}`)
          }
        })
      }

      test('a body that is not an object is refused', async () => {
        for (const body of ['[]', '"x"', 'null', '1', '{"data": 1}', '{']) {
          assertRefused(await corvus.call('POST', path, body), 400)
        }
        assertRefused(await corvus.call('POST', path, 'a,b', undefined, { 'content-type': 'text/csv' }), 415)
      })

      // Users need only the permission to read for objects that are their own.
      const isKept = routesOf(resource).every((route) => route.permission === `read ${permission}`)
      test(isKept ? 'writing needs no more than reading' : 'writing needs the permission to modify', async () => {
        const token = await corvus.tokenFor([`read ${permission}`])
        const answer = await corvus.call('POST', path, { data: fresh(resource) }, token)
        if (isKept) return assert.equal(answer.status, 201)
        assertRefused(answer, 403)
        assert.match(answer.body[0].detail, /^Missing permissions: \[modify /)
      })
    }

    if (operations.upsert && resource.example) {
      test('PUT answers 201 when something is new and 200 when nothing is, in the order of the request', async () => {
        const items = [fresh(resource), fresh(resource), fresh(resource)]
        const first = await corvus.call('PUT', path, { data: items })
        assert.equal(first.status, 201, JSON.stringify(first.body))
        const again = await corvus.call('PUT', path, [...items].reverse())
        assert.equal(again.status, 200, JSON.stringify(again.body))
        const ids = (answer: Answered) => answer.body.data.map(({ id }: Item) => id)
        assert.deepEqual(ids(again), ids(first).reverse())
        const single = await corvus.call('PUT', path, { data: items[0] })
        assert.equal(single.body.data.id, ids(first)[0])
        if (operations.remove) assert.equal((await corvus.call('DELETE', path, ids(first))).status, 204)
      })

      test('the same key twice in one PUT names both positions and stores nothing', async () => {
        const item = fresh(resource)
        const total = (await corvus.call('GET', `${path}?data=false`)).body.total_count
        const answer = await corvus.call('PUT', path, [item, fresh(resource), item])
        assertRefused(answer, 400)
        assert.match(answer.body[0].detail, /\[0\] and \[2\]/)
        assert.equal((await corvus.call('GET', `${path}?data=false`)).body.total_count, total)
      })

      // A file that is uploaded again is to be processed again.
      const isFile = resource.collection === 'files'
      test(`POST onto an existing key is ${isFile ? 'the same file' : 'a 409'}`, async () => {
        const item = fresh(resource)
        const { body } = await corvus.call('PUT', path, item)
        const again = await corvus.call('POST', path, item)
        if (isFile) assert.equal(again.body.data.id, body.data.id)
        else assertRefused(again, 409)
        if (operations.remove) await corvus.call('DELETE', `${path}/${body.data.id}`)
      })

      test('eight concurrent PUTs of the same key create one object and give no error', async () => {
        const item = fresh(resource)
        const answers = await Promise.all(Array.from({ length: 8 }, () => corvus.call('PUT', path, [item])))
        assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201])
        assert.equal(new Set(answers.map(({ body }) => body.data[0].id)).size, 1)
        if (operations.remove) await corvus.call('DELETE', path, [answers[0]?.body.data[0].id])
      })
    }

    if (operations.remove) {
      test('a bulk delete with an unknown id deletes nothing, and requires a list', async () => {
        for (const body of [null, {}, 'x', [], [{}]])
          assertRefused(await corvus.call('DELETE', path, JSON.stringify(body)), 400)
        assertRefused(await corvus.call('DELETE', path, [unknown]), 404)
        const malformed = await corvus.call('DELETE', path, [unknown, 'no id', null, -1])
        assertRefused(malformed, 400)
        assert.deepEqual(
          malformed.body.map(({ detail }: { detail: string }) => detail),
          ['[1]: "no id" is not an id.', '[2]: null is not an id.', '[3]: -1 is not an id.'],
        )
      })
    }

    for (const field of linkableFields(resource)) {
      test(`the relation path to ${field} returns references`, async () => {
        const { body } = await corvus.call('GET', `${path}?limit=1`)
        const owner = body.data[0]?.id
        if (owner === undefined) return
        const listed = await corvus.call('GET', `${path}/${owner}/${field}`)
        assert.equal(listed.status, 200)
        for (const url of listed.body.data) assert.ok(url.startsWith(`${BASE}/api/v2/`), url)
        assertRefused(await corvus.call('GET', `${path}/${unknown}/${field}`), 404)
        assertRefused(await corvus.call('GET', `${path}/${owner}/${field}/no-id`), 400)
        assertRefused(await corvus.call('GET', `${path}/${owner}/no_such_relation`), 404)
      })
    }
  })
}

/** Fields that change with every write, or by themselves. */
const touched = ({ fields }: Resource): Item =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { props }]) => {
      const isMoving = props.storage.kind === 'computed' && typeof props.storage.expression === 'function'
      return props.stamp || isMoving ? [[name, null]] : []
    }),
  )
