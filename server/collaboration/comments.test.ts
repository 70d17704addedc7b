import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BASE, type Method, startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

let counter = 0

for (const { owners, one } of [
  { owners: 'workspaces', one: 'workspace' },
  { owners: 'tickets', one: 'ticket' },
]) {
  const PERMISSIONS = [owners, `${one}-comments`, 'workspaces'].flatMap((name) => [`read ${name}`, `modify ${name}`])

  describe(`comments on ${owners}`, () => {
    let author: string
    let reader: string
    let path: string

    before(async () => {
      author = await corvus.tokenFor(PERMISSIONS)
      reader = await corvus.tokenFor(PERMISSIONS)
      path = `${owners}/${await make({ is_public: true })}/comments`
    })

    /** Creates an object to comment on, visible to everyone or to its creator only. */
    async function make({ is_public }: { is_public: boolean }): Promise<number> {
      const workspace = await corvus.call('POST', 'workspaces', { name: `W${++counter}`, is_public }, author)
      const { id } = workspace.body.data
      if (owners === 'workspaces') return id
      return (await corvus.call('POST', 'tickets', { name: `T${++counter}`, workspaces: [id] }, author)).body.data.id
    }

    async function say(text: string, token = author, where = path) {
      const { status, body } = await corvus.call('POST', where, { data: { text } }, token)
      assert.equal(status, 201, JSON.stringify(body))
      return body.data
    }

    const statusOf = async (method: Method, at: string, body: unknown, token: string): Promise<number> =>
      (await corvus.call(method, at, body, token)).status

    test('a comment has a text, an author and times, and nothing else can be set', async () => {
      const sent = { text: 'first', id: 77, created_by: 1, created_at: '2020-01-01', owner: 999_999 }
      const { body } = await corvus.call('POST', path, { data: sent }, author)
      const { id, text, created_at, created_by, last_updated_at, ...rest } = body.data
      assert.deepEqual([text, rest, created_at === last_updated_at], ['first', {}, true])
      const me = (await corvus.call('GET', 'users/self', undefined, author)).body.data.id
      assert.equal(created_by, `${BASE}/api/v2/users/${me}`)
      const got = await corvus.call('GET', `${path}/${id}`, undefined, reader)
      assert.deepEqual([got.status, got.body], [200, body])
    })

    test('a text must have 1 to 100,000 characters', async () => {
      assert.equal((await say('x')).text, 'x')
      assert.equal((await say('x'.repeat(100_000))).text.length, 100_000)
      for (const text of ['', 'x'.repeat(100_001), null, undefined, 7, 'a\u0000']) {
        const { status, body } = await corvus.call('POST', path, { data: { text } }, author)
        assert.equal(status, 400)
        assert.match(body[0].detail, /^data\.text: /)
      }
      const { id } = await say('short')
      assert.equal(await statusOf('PATCH', `${path}/${id}`, { text: '' }, author), 400)
      assert.equal(await statusOf('PATCH', `${path}/${id}`, { text: 'x'.repeat(100_001) }, author), 400)
    })

    test('a list contains only the comments on this object, oldest first, in pages', async () => {
      const where = `${owners}/${await make({ is_public: true })}/comments`
      for (const text of ['a', 'b', 'c']) await say(text, author, where)
      const texts = ({ body }: { body: { data: { text: string }[] } }) => body.data.map(({ text }) => text)
      const all = await corvus.call('GET', where, undefined, reader)
      assert.deepEqual([texts(all), all.body.total_count, all.body.cursor], [['a', 'b', 'c'], 3, null])
      const first = await corvus.call('GET', `${where}?limit=2`, undefined, reader)
      assert.deepEqual(
        [texts(first), first.body.count, first.body.limit, first.body.total_count],
        [['a', 'b'], 2, 2, 3],
      )
      const next = await corvus.call('GET', `${where}?limit=2&page[cursor]=${first.body.cursor}`, undefined, reader)
      assert.deepEqual([texts(next), next.body.cursor], [['c'], null])
      assert.deepEqual(texts(await corvus.call('GET', `${where}?sort=-created_at&offset=1`, undefined, reader)), [
        'b',
        'a',
      ])
      assert.deepEqual(texts(await corvus.call('GET', `${where}?filter[text]=b`, undefined, reader)), ['b'])
      assert.deepEqual((await corvus.call('GET', `${where}?data=false`, undefined, reader)).body, { total_count: 3 })
      // A cursor is valid for its own list only, and no filter reaches the comments on another object.
      assert.equal(await statusOf('GET', `${path}?page[cursor]=${first.body.cursor}`, undefined, reader), 400)
      const other = path.split('/')[1]
      assert.deepEqual(
        texts(await corvus.call('GET', `${where}?filter[owner]=${other}`, undefined, reader)),
        texts(all),
      )
      for (const wrong of ['filter[no_such]=1', 'sort=no_such', 'limit=0', 'limit=2001', 'offset=-1'])
        assert.equal(await statusOf('GET', `${where}?${wrong}`, undefined, reader), 400, wrong)
    })

    test('only the author can change a comment', async () => {
      const { id, created_at } = await say('tpyo')
      const { status, body } = await corvus.call('PATCH', `${path}/${id}`, { data: { text: 'typo' } }, author)
      assert.deepEqual([status, body.data.text, body.data.created_at], [200, 'typo', created_at])
      assert.ok(body.data.last_updated_at > created_at)
      for (const token of [reader, corvus.admin]) {
        const refused = await corvus.call('PATCH', `${path}/${id}`, { text: 'mine' }, token)
        assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Only the author can change a comment.'])
      }
      assert.equal((await corvus.call('GET', `${path}/${id}`, undefined, reader)).body.data.text, 'typo')
    })

    test('the author can delete a comment, and so can callers with modify users', async () => {
      const [mine, rude] = [await say('mine'), await say('rude')]
      const refused = await corvus.call('DELETE', `${path}/${mine.id}`, undefined, reader)
      assert.equal(refused.status, 403)
      assert.match(refused.body[0].detail, /^Only the author, or a user with the permission 'modify users', can delete/)
      assert.equal(await statusOf('DELETE', `${path}/${mine.id}`, undefined, author), 204)
      assert.equal(await statusOf('GET', `${path}/${mine.id}`, undefined, author), 404)
      assert.equal(await statusOf('DELETE', `${path}/${rude.id}`, undefined, corvus.admin), 204)
      assert.equal(await statusOf('GET', `${path}/${rude.id}`, undefined, author), 404)
    })

    test('a comment outlives its author, and is deleted with its object', async () => {
      const leaver = await corvus.tokenFor(PERMISSIONS)
      const owner = await make({ is_public: true })
      const where = `${owners}/${owner}/comments`
      const { id } = await say('bye', leaver, where)
      const leaverId = (await corvus.call('GET', 'users/self', undefined, leaver)).body.data.id
      await corvus.call('DELETE', `users/${leaverId}`)
      const left = await corvus.call('GET', `${where}/${id}`, undefined, author)
      assert.deepEqual([left.body.data.text, left.body.data.created_by], ['bye', null])
      assert.equal(await statusOf('PATCH', `${where}/${id}`, { text: 'x' }, author), 403)
      assert.equal(await statusOf('DELETE', `${owners}/${owner}`, undefined, author), 204)
      const { rows } = await corvus.pool.query(`select from ${one}_comments where id = $1`, [id])
      assert.equal(rows.length, 0)
    })

    test('every request is a 404 if the caller cannot see the object', async () => {
      const where = `${owners}/${await make({ is_public: false })}/comments`
      const { id } = await say('secret', author, where)
      for (const [method, at, body] of [
        ['GET', where],
        ['POST', where, { text: 'x' }],
        ['GET', `${where}/${id}`],
        ['PATCH', `${where}/${id}`, { text: 'x' }],
        ['DELETE', `${where}/${id}`],
      ] as const) {
        assert.equal(await statusOf(method, at, body, reader), 404, `${method} ${at}`)
        assert.notEqual(await statusOf(method, at, body, author), 404, `${method} ${at}`)
      }
    })

    test('a comment is found under its own object only', async () => {
      const { id } = await say('here')
      const elsewhere = `${owners}/${await make({ is_public: true })}/comments`
      for (const at of [`${elsewhere}/${id}`, `${path}/999999`, `${path}/x`, `${owners}/999999/comments/${id}`]) {
        assert.equal(await statusOf('GET', at, undefined, author), 404, at)
        assert.equal(await statusOf('PATCH', at, { text: 'x' }, author), 404, at)
        assert.equal(await statusOf('DELETE', at, undefined, author), 404, at)
      }
      assert.equal(await statusOf('GET', `${owners}/x/comments`, undefined, author), 404)
      assert.equal(await statusOf('PUT', path, [{ text: 'x' }], author), 405)
      assert.equal(await statusOf('DELETE', path, [id], author), 405)
      // A body that the route does not need is not read.
      const csv = { 'content-type': 'text/csv' }
      assert.equal((await corvus.call('DELETE', `${path}/${id}`, 'a,b', author, csv)).status, 204)
    })

    test('reading and writing require separate permissions', async () => {
      const { id } = await say('guarded')
      const others = PERMISSIONS.filter((name) => !name.endsWith('-comments'))
      const [none, readOnly] = [await corvus.tokenFor(others), await corvus.tokenFor([`read ${one}-comments`])]
      const refusal = async (method: Method, at: string, token: string) =>
        (await corvus.call(method, at, undefined, token)).body[0].detail
      assert.equal(await refusal('GET', path, none), `Missing permissions: [read ${one}-comments]`)
      assert.equal(await refusal('GET', `${path}/${id}`, none), `Missing permissions: [read ${one}-comments]`)
      for (const [method, at] of [
        ['POST', path],
        ['PATCH', `${path}/${id}`],
        ['DELETE', `${path}/${id}`],
      ] as const) {
        assert.equal(await refusal(method, at, readOnly), `Missing permissions: [modify ${one}-comments]`)
      }
      assert.equal(await statusOf('GET', path, undefined, readOnly), 200)
    })

    test('every write of a comment is in the change log', async () => {
      const { id } = await say('logged')
      await corvus.call('PATCH', `${path}/${id}`, { text: 'logged again' }, author)
      await corvus.call('DELETE', `${path}/${id}`, undefined, author)
      const { rows } = await corvus.pool.query(
        'select kind from changes where resource = $1 and ids = array[$2] order by id',
        [`${one}_comments`, String(id)],
      )
      assert.deepEqual(
        rows.map(({ kind }) => kind),
        ['create', 'update', 'delete'],
      )
    })
  })
}
