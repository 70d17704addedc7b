import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import type { Context } from '../../server/engine/context.ts'
import { storeContentBlock } from '../../server/feeds/content-blocks/store-content-block.ts'
import { findToken } from '../../server/identity/access/callers.ts'
import { storeBlob } from '../../server/intelligence/stored-blobs/store.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { resourceMap } from '../../server/registry.ts'
import { type Answered, BASE, type Method, startApp } from '../app.ts'
import { bareServer } from '../background.ts'

type Item = Record<string, unknown>

export const CSV = 'urn:eclecticiq.com:csv-extracts:1.0'
export const DOWNLOAD = 'eiq.outgoing-transports.http-download'

/** The application of the importing test file. */
export const corvus = await startApp()
after(() => corvus.stop())
export const blobs = openBlobs(corvus.config)

/** Calls the API as the administrator, requires a success, and returns its data. */
export async function ok(
  method: Method,
  path: string,
  data?: unknown,
  token = corvus.admin,
): Promise<Answered['body']> {
  const answer = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

let count = 0

/** Creates a feed that clients download. */
export const makeFeed = (more: Item = {}, token = corvus.admin): Promise<Answered['body']> =>
  ok('POST', 'outgoing-feeds', { name: `feed ${++count}`, content_type: CSV, transport_type: DOWNLOAD, ...more }, token)

const FEEDS = ['read outgoing-feeds', 'modify outgoing-feeds', 'read content-blocks', 'read groups']

/** Creates a user with the permissions for feeds, in these groups only, and returns their token. */
export async function person(groups: readonly string[], permissions: readonly string[] = FEEDS): Promise<string> {
  const token = await corvus.tokenFor(permissions)
  const { rows } = await corvus.pool.query(`select user_id from tokens where hash = sha256($1::text::bytea)`, [token])
  await corvus.pool.query('delete from group_users where target = $1', [rows[0].user_id])
  await corvus.pool.query(
    'insert into group_users (source, target) select id, $1 from groups where name = any($2::text[])',
    [rows[0].user_id, groups],
  )
  return token
}

/** The context of an operation for a user. */
export async function contextOf(token: string): Promise<Context> {
  const caller = (await findToken(corvus.db, token))?.caller
  assert.ok(caller)
  return { ...bareServer(corvus), resources: resourceMap, caller, baseUrl: BASE, blobs }
}

interface Written {
  readonly run?: string
  readonly signature?: string
  readonly losses?: string
  readonly delivery_status?: 'PENDING' | 'READY'
  /** The owner of the feed. */
  readonly token?: string
}

/** Stores a block of a feed as a run does, and returns its id. */
export async function writeBlock(feed: number, content: string, written: Written = {}): Promise<number> {
  const ctx = await contextOf(written.token ?? corvus.admin)
  const { rows } = await corvus.pool.query('select epoch, content_type from outgoing_feeds where id = $1', [feed])
  const { sha256, size } = await storeBlob(ctx, Readable.from([Buffer.from(content)]))
  const losses = written.losses ? await storeBlob(ctx, Readable.from([Buffer.from(written.losses)])) : null
  const { id } = await corvus.db.transaction().execute((db) =>
    storeContentBlock(
      { ...ctx, db },
      {
        outgoing_feed: feed,
        epoch: rows[0].epoch,
        run_id: written.run ?? randomUUID(),
        part: 1,
        content_type: rows[0].content_type,
        filename: 'block.csv',
        sha256,
        size,
        items_count: 1,
        losses_count: losses ? 1 : 0,
        losses: losses?.sha256 ?? null,
        signature: written.signature ?? null,
        signed_with_key_id: written.signature ? 'ABCD' : null,
        delivery_status: written.delivery_status ?? 'READY',
      },
    ),
  )
  return id
}

/** The bytes of a response, and its headers. */
export async function download(path: string, token = corvus.admin, headers: Record<string, string> = {}) {
  const {
    statusCode,
    body,
    headers: told,
  } = await corvus.app.inject({
    method: 'GET',
    url: path.startsWith('/') ? path : `/api/v2/${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: statusCode, text: body, headers: told }
}
