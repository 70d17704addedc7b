import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after } from 'node:test'
import { startApp } from '../app.ts'

export const PATH = 'entities/attachments'
export const KIB = 1024
export const MIB = 1024 * KIB

/** The application of the importing test file. */
export const corvus = await startApp()
after(() => corvus.stop())

export const digest = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

export async function download(id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${corvus.admin}` }
  const answer = await corvus.app.inject({ url: `/api/v2/${PATH}/${id}/download`, headers })
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 500))
  return answer.rawPayload
}

export async function blobs(bytes: Buffer): Promise<{ blobs: number; pieces: number }> {
  const { rows } = await corvus.pool.query(
    `select (select count(*) from blobs where sha256 = $1) as blobs,
      (select count(*) from blob_pieces where sha256 = $1) as pieces`,
    [createHash('sha256').update(bytes).digest()],
  )
  return rows[0]
}
