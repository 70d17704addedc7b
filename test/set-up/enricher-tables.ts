import type { Answered } from '../app.ts'
import type { Enrichers } from './enrichers.ts'

type Corvus = Pick<Enrichers, 'app' | 'admin' | 'ask'>

/** Sends content to a table, and returns the response. */
export async function sendContent({ app, admin }: Corvus, id: number, payload: string | Buffer): Promise<Answered> {
  const answer = await app.inject({
    method: 'PUT',
    url: `/api/v2/enricher-tables/${id}/content`,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/octet-stream' },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() } as Answered
}

/** Creates a table and loads its content. */
export async function loadedTable(corvus: Corvus, table: Record<string, unknown>, payload: string | Buffer) {
  const { id } = await corvus.ask('POST', 'enricher-tables', table)
  const { status, body } = await sendContent(corvus, id, payload)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

/** Looks values up with the test of a new enricher. */
export async function lookUps(corvus: Corvus, enricher: string, types: readonly string[], parameters = {}) {
  const { id } = await corvus.ask('POST', 'enrichers', {
    name: `test_${enricher.replaceAll(/\W+/g, '_')}_${Math.random().toString(36).slice(2)}`,
    enricher,
    is_active: true,
    supported_observable_types: types,
    parameters,
  })
  return (type: string, value: string) => corvus.ask('POST', `enrichers/${id}/test`, { type, value })
}
