import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import type { Framework } from './framework.ts'
import { storeFramework } from './store-framework.ts'

const FILE = new URL('facts.json.br', import.meta.url)

/**
 * Stores the facts that came with the product, unless a framework is stored already. Descriptions come with the official bundles, which
 * users load. Needs a transaction.
 */
export async function shipFacts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select from frameworks limit 1`.execute(db)
  if (rows.length > 0) return
  for (const framework of await readFacts())
    await storeFramework(db, framework, { version: framework.version ?? '', hash: null, user: null })
}

/** The facts that came with the product. */
export async function readFacts(): Promise<readonly Framework[]> {
  return JSON.parse((await promisify(brotliDecompress)(await readFile(FILE))).toString())
}
