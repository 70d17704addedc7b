import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type StixObject, startTaxii, stixObject, TAXII } from '../../../test/taxii.ts'

let corvus: Awaited<ReturnType<typeof startTaxii>>
let statements: string[] = []
before(async () => {
  corvus = await startTaxii((statement) => {
    // The caller is looked up and recorded from time to time, independently of the request.
    if (!/\b(tokens|audit_trail)\b/.test(statement)) statements.push(statement)
  })
})
after(() => corvus.stop())

interface Record {
  readonly id: string
  readonly version: string
  readonly date_added: string
}

/** Changes to a collection while a client reads it: new objects, and newer versions of known ones. */
const steps = fc.array(
  fc.record({
    limit: fc.integer({ min: 1, max: 4 }),
    fresh: fc.integer({ min: 0, max: 3 }),
    revised: fc.array(fc.nat(), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
)

for (const [what, query] of [
  ['all versions', 'match[version]=all&'],
  ['the last versions', ''],
] as const) {
  test(`3.5: a client that reads ${what} while objects are added skips none and gets none twice`, async () => {
    let feeds = 0
    await fc.assert(
      fc.asyncProperty(steps, async (planned) => {
        const { feed, id } = await corvus.publish(`Walked ${query} ${feeds++}`)
        const known: StixObject[] = []
        let clock = Date.parse('2024-01-02T00:00:00Z')
        const grow = async (fresh: number, revised: readonly number[]) => {
          const changed = new Set(known.length > 0 ? revised.map((at) => at % known.length) : [])
          for (const at of changed) {
            known[at] = { ...(known[at] as StixObject), modified: new Date(clock++).toISOString() }
          }
          const made = Array.from({ length: fresh }, () => stixObject())
          await corvus.add(feed, [...[...changed].map((at) => known[at] as StixObject), ...made])
          known.push(...made)
        }
        await grow(3, [])
        const seen: Record[] = []
        const waiting = [...planned]
        for (let [since, next] = ['', '']; ; ) {
          const step = waiting.shift()
          const path = `collections/${id}/manifest/?${query}limit=${step?.limit ?? 2}&added_after=${since}&next=${next}`
          const { status, body } = await corvus.ask(path)
          assert.equal(status, 200, JSON.stringify(body))
          assert.ok((body.objects ?? []).length <= (step?.limit ?? 2))
          seen.push(...(body.objects ?? []))
          if (step) await grow(step.fresh, step.revised)
          next = body.next ?? ''
          if (!body.more && !step) break
          // A client at the end asks later for what was added since.
          if (!body.more) since = seen.at(-1)?.date_added ?? ''
        }
        const times = seen.map(({ date_added }) => date_added)
        assert.deepEqual(times, [...new Set(times)].sort(), 'in order, and each once')
        const { rows } = await corvus.pool.query<{ key: string }>(
          `select stix_id || ' ' || version as key from collection_objects
           where feed = $1 and (is_latest or $2) order by added_at`,
          [feed, query !== ''],
        )
        const keys = new Set(seen.map(({ id, version }) => `${id} ${Date.parse(version)}`))
        const wanted = rows.map(({ key }) => key.replace(/ (.*)/, (_, time: string) => ` ${Date.parse(time)}`))
        assert.deepEqual(
          wanted.filter((key) => !keys.has(key)),
          [],
          'nothing is skipped',
        )
        if (query !== '') assert.equal(seen.length, wanted.length)
      }),
      { numRuns: 12 },
    )
  })
}

test('a page of 1,000 objects takes as many statements as one of two', async () => {
  const { feed, id } = await corvus.publish('Large')
  const objects = Array.from({ length: 1100 }, () => stixObject())
  await corvus.add(feed, objects)
  const count = async (path: string, expected: number) => {
    statements = []
    const { body } = await corvus.ask(`collections/${id}/${path}`)
    assert.equal(body.objects.length, expected)
    return statements.length
  }
  for (const path of ['objects/?', 'manifest/?', 'objects/?match[type]=indicator,tool&match[version]=first,last']) {
    const few = await count(`${path}&limit=2`, 2)
    assert.equal(await count(`${path}&limit=1000`, 1000), few, path)
    assert.equal(await count(path, 1000), few, 'that is also the most')
    assert.equal(few, 2, 'one finds the collection, and one the page')
  }
})

test('a page ends early before it becomes too large', async () => {
  const { feed, id } = await corvus.publish('Heavy')
  await corvus.pool.query(
    `insert into collection_objects (feed, added_at, stix_id, type, spec_version, version, is_latest, hash, object)
     select $1, now() + n * interval '1 second', n, 'report', '2.1', now(), true, '',
       '{"id": "' || n || '", "description": "' || repeat('x', 6000000) || '"}'
     from generate_series(1, 4) as s(n)`,
    [feed],
  )
  const first = await corvus.ask(`collections/${id}/objects/`)
  assert.deepEqual([first.body.objects.length, first.body.more], [3, true])
  const second = await corvus.ask(`collections/${id}/objects/?next=${first.body.next}`)
  assert.deepEqual([second.body.objects.length, second.body.more], [1, false])
  assert.equal(second.body.objects[0].id, '4')
})

test('no request leads to a 5xx, and every error is an error message', async () => {
  const { feed, id } = await corvus.publish('Asked')
  const object = stixObject()
  await corvus.add(feed, [object])
  const { next } = (await corvus.ask(`collections/${id}/objects/?limit=1`)).body
  const value = fc.oneof(
    fc.constantFrom('first', 'last', 'all', 'first,last', '2024-01-01T00:00:00Z', object.id, 'indicator', '2.1', ''),
    fc.constantFrom('0', '1', '1000', '-1', '99999999999999999999', 'NaN', '\u0000', '%', '0001-01-01T00:00:00Z'),
    fc.constantFrom('9999-12-31T23:59:59.999999Z', '-infinity', 'infinity', 'now', "'", '\ud800', next ?? 'x'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const name = fc.oneof(
    fc.constantFrom(
      'added_after',
      'limit',
      'next',
      'match[id]',
      'match[type]',
      'match[version]',
      'match[spec_version]',
    ),
    fc.string({ maxLength: 12 }),
  )
  const place = fc.oneof(fc.constantFrom(id, 'asked', object.id, '..', 'x'), fc.string({ minLength: 1, maxLength: 12 }))
  const path = fc.oneof(
    fc.constantFrom(
      `collections/${id}/objects/`,
      `collections/${id}/manifest/`,
      `collections/${id}/objects/${object.id}/`,
    ),
    fc.constantFrom(`collections/${id}/objects/${object.id}/versions/`, 'collections/', ''),
    fc.tuple(place, place).map(([a, b]) => `collections/${encoded(a)}/objects/${encoded(b)}/versions/`),
    place.map((a) => `status/${encoded(a)}/`),
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(path, fc.array(fc.tuple(name, value), { maxLength: 3 }), async (below, pairs) => {
      const query = new URLSearchParams(pairs.map(([key, text]): [string, string] => [key, text.toWellFormed()]))
      const { status, headers, body } = await corvus.ask(`/taxii2/root/${below}?${query}`)
      statuses.add(status)
      assert.ok(status < 500, `${status} ${below}?${query}`)
      assert.equal(headers['content-type'], TAXII)
      if (status >= 400) assert.equal(body.http_status, String(status))
    }),
    { numRuns: 400 },
  )
  assert.ok([200, 400, 404].every((status) => statuses.has(status)))
})

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
