import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { startApp } from '../app.ts'
import { FORM, formOf, type Part } from '../form.ts'

/** The maximum size of uploads in this application. */
export const MAX_FILE_BYTES = 3 * 1024 * 1024

/** The application of the importing test file, which accepts only small files. */
export const corvus = await startApp(undefined, { environment: { CORVUS_LARGEST_FILE: '3 MiB' } })
after(() => corvus.stop())

export const digest = (name: string, bytes: Buffer | string) => createHash(name).update(bytes).digest('hex')

export const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

export async function upload(parts: readonly Part[], { method = 'POST' as 'POST' | 'PUT', token = corvus.admin } = {}) {
  const answer = await corvus.app.inject({
    method,
    url: '/api/v2/files',
    headers: { ...FORM, authorization: `Bearer ${token}` },
    payload: formOf(parts),
  })
  return { status: answer.statusCode, body: answer.json() }
}

export async function post(item: Record<string, unknown>, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', 'files', { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export async function download(id: number, headers: Record<string, string> = {}) {
  return corvus.app.inject({
    url: `/api/v2/files/${id}/download`,
    headers: { authorization: `Bearer ${corvus.admin}`, ...headers },
  })
}

/** The paths of all files in the folder of blobs. */
export async function stored(): Promise<string[]> {
  const folder = join(corvus.config.dataFolder, 'blobs')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
