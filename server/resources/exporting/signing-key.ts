import { conflict } from '../../engine/errors.ts'
import type { Server } from '../../engine/resource.ts'
import { privateKey } from '../../settings/private-key.ts'
import { readSetting } from '../../settings/setting.ts'

/** The private key of the installation, unlocked; a 409 where there is none. */
export async function signingKey({ db, vault }: Pick<Server, 'db' | 'vault'>): Promise<string> {
  const { key } = await readSetting(db, privateKey)
  if (key === null)
    throw conflict('There is no key to sign with: set or make one at /configurations/private-key first.')
  return vault.open(key)
}
