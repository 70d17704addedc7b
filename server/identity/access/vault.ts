import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Vault } from '../../engine/context.ts'
import { StartError } from '../../ports/start-error.ts'

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1'
const MIN_KEY_LENGTH = 32

/**
 * Opens the vault with the operator's key, otherwise with the key in the data folder, which the first start creates.
 */
export async function openVault(
  config: Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'secretKey'>>,
): Promise<Vault> {
  const text = config.secretKey ?? (await readOrMakeKey(config.dataFolder))
  if (text.length < MIN_KEY_LENGTH) {
    throw new StartError(`The secret key must have at least ${MIN_KEY_LENGTH} characters.`)
  }
  return vaultWith(createHash('sha256').update(text).digest())
}

function vaultWith(key: Buffer): Vault {
  return {
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')}`
    },
    open(sealed) {
      const [version, content = ''] = sealed.split('.')
      if (version !== VERSION) throw new Error('A secret is sealed in a format that this version does not support.')
      const bytes = Buffer.from(content, 'base64url')
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

async function readOrMakeKey(folder: string): Promise<string> {
  const path = join(folder, 'secret.key')
  const present = await readKey(path)
  if (present !== undefined) return present
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    // A hard link appears atomically, and succeeds only for the first of several processes.
    await link(draft, path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new StartError(`The secret key cannot be written to ${path}: ${message}.`)
  } finally {
    await rm(draft, { force: true })
  }
  return (await readKey(path)) ?? ''
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new StartError(`The secret key in ${path} cannot be read: ${message}.`)
  }
}
