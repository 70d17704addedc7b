import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../server/config.ts'
import { createToken, revokeToken } from '../../server/identity/access/tokens.ts'
import { asAdministrator, withDatabase } from '../installation.ts'
import { Refusal } from '../refusal.ts'
import { TOKEN_ADVICE } from './client.ts'

const LIFETIME_MS = 7 * 86_400_000

/** Runs work with a temporary token of the administrator. */
export async function withAdministratorToken<T>(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  work: (token: string) => Promise<T>,
): Promise<T> {
  // Opening the database of an empty folder would create one, although the running server uses another.
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'postgres'))) {
    throw new Refusal(
      `A token is required, because ${dataFolder} is not the data folder of the server. ${TOKEN_ADVICE}`,
    )
  }
  const { owner, id, token } = await makeToken()
  try {
    return await work(token)
  } finally {
    // If the database is unreachable by now, the token still expires.
    await withDatabase(({ db }) => revokeToken(db, owner, id)).catch(() => {})
  }
}

function makeToken() {
  return withDatabase((installation) =>
    asAdministrator(installation, async ({ db, caller }) => {
      if (caller.id === 0) throw new Refusal(`There is no active administrator to create a token for. ${TOKEN_ADVICE}`)
      const name = `corvus ${new Date().toISOString()}`
      const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString()
      return { owner: caller.id, ...(await createToken(db, caller.id, { name, expiresAt })) }
    }),
  )
}
