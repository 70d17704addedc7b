import { sql } from 'kysely'
import { conflict } from '../../engine/errors.ts'
import type { Server } from '../../server.ts'
import { privateKey } from '../../settings/private-key.ts'

/** The decrypted private key of the installation; a 409 if there is none. */
export const signingKey = async (server: Pick<Server, 'db' | 'vault'>): Promise<string> =>
  (await knownSigningKey(server)).key

/** The private key of the installation with its public key id. */
export async function knownSigningKey({
  db,
  vault,
}: Pick<Server, 'db' | 'vault'>): Promise<{ readonly key: string; readonly keyid: string | null }> {
  const { rows } = await sql<{ key: string | null; keyid: string | null }>`
    select value ->> 'key' as key, value ->> 'keyid' as keyid from settings where name = ${privateKey.name}`.execute(db)
  const { key = null, keyid = null } = rows[0] ?? {}
  if (key === null) throw conflict('There is no signing key. Set or generate one at /configurations/private-key first.')
  return { key: vault.open(key), keyid }
}
