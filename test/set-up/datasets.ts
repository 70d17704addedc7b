import assert from 'node:assert/strict'
import { after } from 'node:test'
import { BASE, startApp } from '../app.ts'

/** The application of the importing test file. */
export const corvus = await startApp()
after(() => corvus.stop())

let counter = 0

export const nextName = (kind: string): string => `${kind} ${++counter}`

export async function make(path: string, item: Record<string, unknown>, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export const makeDataset = (item: Record<string, unknown> = {}, token?: string) =>
  make('datasets', { name: nextName('Dataset'), workspaces: [1], ...item }, token)
export const makeWorkspace = (item: Record<string, unknown> = {}, token?: string) =>
  make('workspaces', { name: nextName('Workspace'), ...item }, token)
export const makeEntity = async (rest: Record<string, unknown> = {}, token?: string): Promise<string> =>
  (await make('entities', { data: { type: 'report', title: 'R' }, ...rest }, token)).id

export const url = (path: string, id: unknown) => `${BASE}/api/v2/${path}/${id}`
