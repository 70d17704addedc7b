import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, test } from 'node:test'
import { corvus } from '../../../test/set-up/entities.ts'
import { vectorList } from '../../fast/binary-arrays.ts'
import { searchDocument } from '../../search/document.ts'

const COUNT = 150

let port = 0
before(async () => {
  port = Number(new URL(await corvus.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** Entities with distinct words, enough for a long response. */
const itemsOf = (name: string, words = 120) =>
  Array.from({ length: COUNT }, (_, i) => ({
    data: {
      id: `{http://concurrent.example/}indicator-${name}-${i}`,
      type: 'indicator',
      title: `${name} ${i}`,
      description: Array.from({ length: words }, (_, n) => `${name}x${i}x${n % 60}`).join(i % 3 ? ' ' : ' Ü '),
      confidence: 'low',
    },
    meta: { tags: [`${name}-${i}`] },
  }))

/** Sends a request and returns its connection once the response begins, without reading the rest. */
async function begin(items: readonly object[]): Promise<Socket> {
  const body = JSON.stringify(items)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `PUT /api/v2/entities HTTP/1.1\r\nHost: corvus\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${corvus.admin}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await once(socket, 'readable')
  return socket
}

async function put(items: readonly { data: object }[]): Promise<void> {
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
  assert.deepEqual(body.data.map(dataOf), items.map(dataOf))
}

const dataOf = ({ data }: { data?: unknown }): unknown => data

test('a slow reader gets its own answer while other bulk writes are answered', async () => {
  // More than the operating system buffers for a client that does not read.
  const items = itemsOf('late', 6_000)
  const socket = await begin(items)
  for (const name of ['early', 'earlier']) await put(itemsOf(name, 6_000))
  const answer = (await socket.setEncoding('utf8').toArray()).join('')
  const { data } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  assert.deepEqual(data.map(dataOf), items.map(dataOf))
})

test('concurrent bulk writes, some retried or abandoned, are stored and indexed as they were sent', async () => {
  await corvus.pool.query(`
    create sequence write_tries;
    create function fail_sometimes() returns trigger language plpgsql as $$ begin
      if nextval('write_tries') % 4 = 1 then raise exception 'now and then' using errcode = '40001'; end if;
      return null;
    end $$;
    create constraint trigger fail_sometimes after insert on entities deferrable initially deferred
      for each row when (new.stix_id like '%-7') execute function fail_sometimes()`)
  const sent: ReturnType<typeof itemsOf>[] = []
  const client = async (worker: number) => {
    for (let round = 0; round < 3; round++) {
      const items = itemsOf(`w${worker}r${round}`)
      sent.push(items)
      if (worker === 0) (await begin(items)).destroy()
      else await put(items)
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, worker) => client(worker)))
  const all = sent.flat()
  const vectors = all.map(({ data, meta }) => searchDocument({ data, ...meta, taxonomies: [], attacks: [] }).vector)
  const { rows } = await corvus.pool.query(
    `select count(*)::integer as count, (select last_value::integer from write_tries) as tries from entities as e
     join unnest($1::text[], $2::jsonb[], $3::tsvector[]) as s(id, data, search) on s.id = e.stix_id
     where e.data = s.data and e.search = s.search`,
    [all.map(({ data }) => data.id), all.map(({ data }) => JSON.stringify(data)), vectorList(vectors)],
  )
  assert.equal(rows[0].count, all.length)
  assert.ok(rows[0].tries > sent.length, 'no write was retried')
})
