import { sql } from 'kysely'
import { conflict } from '../../engine/errors.ts'
import type { Server } from '../../server.ts'
import { privateKey } from '../../settings/private-key.ts'

/** The private key of the installation, unlocked; a 409 where there is none. */
export const signingKey = async (server: Pick<Server, 'db' | 'vault'>): Promise<string> =>
  (await knownSigningKey(server)).key

/** The same, with the id by which others know it. */
export async function knownSigningKey({
  db,
  vault,
}: Pick<Server, 'db' | 'vault'>): Promise<{ readonly key: string; readonly keyid: string | null }> {
  const { rows } = await sql<{ key: string | null; keyid: string | null }>`
    select value ->> 'key' as key, value ->> 'keyid' as keyid from settings where name = ${privateKey.name}`.execute(db)
  const { key = null, keyid = null } = rows[0] ?? {}
  if (key === null)
    throw conflict('There is no key to sign with: set or make one at /configurations/private-key first.')
  return { key: vault.open(key), keyid }
}
