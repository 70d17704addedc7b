import { sql } from 'kysely'
import type { Blobs, Digest, Draft } from '../../ports/blobs.ts'
import type { Server } from '../../server.ts'

/** How long a blob is kept before a foreign key has to refer to it. */
const CLAIM_MINUTES = 60

type Store = Pick<Server, 'db' | 'blobs'>

/** The storage of blobs, which processes without files do not have. */
export function blobsOf({ blobs }: Pick<Server, 'blobs'>): Blobs {
  if (!blobs) throw new TypeError('This process keeps no files.')
  return blobs
}

/**
 * Keeps received bytes. Must not run in a transaction: the row has to be committed before the bytes are stored, so that the sweep
 * also finds the bytes of a write that failed. Refer to them by a foreign key soon.
 */
export async function keepBlobs({ db }: Pick<Store, 'db'>, drafts: readonly Draft[]): Promise<void> {
  const distinct = [...new Map(drafts.map((draft) => [draft.sha256, draft])).values()]
  if (distinct.length === 0) return
  await sql`
    insert into stored_blobs as t (key, size, sha1, md5, claimed_until)
    select i.key, i.size, i.sha1, i.md5, now() + make_interval(mins => ${CLAIM_MINUTES})
    from unnest(
      ${distinct.map(({ sha256 }) => sha256)}::text[],
      ${distinct.map(({ size }) => size)}::bigint[],
      ${distinct.map(({ sha1 }) => sha1)}::text[],
      ${distinct.map(({ md5 }) => md5)}::text[]
    ) as i(key, size, sha1, md5)
    order by i.key
    on conflict (key) do update set claimed_until = excluded.claimed_until`.execute(db)
  for (const draft of distinct) await draft.keep()
}

/** Stores the content of a stream, and returns its size and hashes. Throws TooLarge after `mostBytes`. */
export async function storeBlob(
  server: Store,
  content: AsyncIterable<Uint8Array>,
  mostBytes?: number,
): Promise<Digest> {
  await using draft = await blobsOf(server).receive(content, mostBytes)
  await keepBlobs(server, [draft])
  const { size, sha256, sha1, md5 } = draft
  return { size, sha256, sha1, md5 }
}
