import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from 'kysely'
import type { Context } from '../../server/engine/context.ts'
import { contentConfiguration } from '../../server/exchange/exporting/configuration.ts'
import { withRelated } from '../../server/exchange/exporting/selection.ts'
import { letterheadOf, shipmentOf } from '../../server/exchange/exporting/shipment.ts'
import { findToken } from '../../server/identity/access/callers.ts'
import { findIds } from '../../server/intelligence/by-query/snapshot.ts'
import { resourceMap } from '../../server/registry.ts'
import { BASE, startApp } from '../app.ts'
import { bareServer } from '../background.ts'

export type Item = Record<string, unknown>

/** The time of all exports. */
export const AT = '2026-06-01T00:00:00.000000+00:00'

/** The statements that were run. */
export const statements: string[] = []

/** The application of the importing test file. */
export const corvus = await startApp((statement) => statements.push(statement))
after(() => corvus.stop())

export async function make(path: string, item: Item) {
  const { status, body } = await corvus.call('POST', path, { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

export async function put(path: string, items: readonly Item[]) {
  const { status, body } = await corvus.call('PUT', path, { data: items })
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

/** The source of the administrator's group, and one that they do not see. */
export const own: string = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data[0].source
export const hidden: string = (await corvus.blindGroup('Others')).source

export const report = (title: string, more: Item = {}) => ({ data: { type: 'report', title }, ...more })
export const between = (source: Item, key: string, target: Item, more: Item = {}) => ({
  data: { source: source.id, key, target: target.id },
  sources: [own],
  ...more,
})

/** What is exported for the administrator: entities whose titles have this prefix, with a configuration. */
export async function ship(title: string, configuration: Item = {}) {
  const caller = (await findToken(corvus.db, corvus.admin))?.caller
  assert.ok(caller)
  const ctx: Context = { ...bareServer(corvus), resources: resourceMap, caller, baseUrl: BASE, at: AT }
  const parsed = contentConfiguration.parse(configuration)
  const isChosen = sql<boolean>`t.data ->> 'title' like ${`${title}%`}`
  const found = await findIds(ctx, await withRelated(ctx, parsed, isChosen))
  const reading = {
    configuration: parsed,
    db: corvus.db,
    read: <T>(work: (inside: Context) => Promise<T>) => work(ctx),
  }
  return shipmentOf(await letterheadOf(ctx, BASE, AT), found, reading)
}

/** The same, read to its end. */
export async function all(title: string, configuration: Item = {}) {
  const shipment = await ship(title, configuration)
  const entities = await Array.fromAsync(shipment.entities())
  const relationships = await Array.fromAsync(shipment.relationships())
  return { shipment, entities, relationships }
}
