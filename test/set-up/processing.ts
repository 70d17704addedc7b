import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BASE } from '../app.ts'
import { FORM, formOf } from '../form.ts'
import { corvus, endOf } from './exporting.ts'

export { corvus, endOf, exported, fetchBytes } from './exporting.ts'

/** Uploads a file, and returns its record and its run once that has ended. */
export async function processed(name: string, bytes: Buffer | string, fields: Record<string, string> = {}) {
  const parts = [
    ...Object.entries(fields).map(([field, value]) => ({ name: field, value })),
    { name: 'file', filename: name, value: Buffer.from(bytes) },
  ]
  const answer = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/files',
    headers: { ...FORM, authorization: `Bearer ${corvus.admin}` },
    payload: formOf(parts),
  })
  assert.equal(answer.statusCode, 201, answer.body)
  const { data: file } = answer.json()
  return { file, run: await endOf(file.run.slice(BASE.length)) }
}

/** The same for a file on disk. */
export const processedFile = async (path: string) => processed(basename(path), await readFile(path))

/** The ids of all entities that a file mentions. */
export async function entitiesOf(file: { readonly id: number }): Promise<string[]> {
  const { body } = await corvus.call('GET', `entities?filter[files]=${file.id}&attributes=id&limit=1000`)
  assert.ok(body.total_count <= 1000)
  return body.data.map(({ id }: { id: string }) => id)
}

/** The outcomes of the objects of a file, except plain successes. */
export async function losses(file: { readonly id: number }) {
  const { body } = await corvus.call('GET', `files/${file.id}/outcomes?limit=500`)
  return body.data.filter(({ details }: { details: string[] }) => details.length > 0)
}
