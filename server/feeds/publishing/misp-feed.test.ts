import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { corvus, jobOf, make, put } from '../../../test/publishing/set-up.ts'
import { startCollecting } from '../../../test/set-up/collecting.ts'
import { documentOf } from '../../formats/document.ts'
import { readMisp } from '../../formats/misp/read-misp.ts'
import { outgoingFeed } from './outgoing-feed.ts'

let dataset: number
before(async () => {
  const entities = await put('entities', [
    { data: { type: 'report', title: 'wren' }, observables: [{ type: 'ipv4', value: '192.0.2.1' }] },
    { data: { type: 'indicator', title: 'robin' }, observables: [{ type: 'domain', value: 'a.example' }] },
  ])
  const own = entities.map(({ id }: { id: string }) => id)
  dataset = (await make('datasets', { name: 'Birds', workspaces: [1], entities: own })).id
})

const feedOf = (more = {}) => ({
  name: 'To MISP',
  content_type: 'urn:misp:feed:1.0',
  update_strategy: 'REPLACE',
  transport_type: 'eiq.outgoing-transports.http-download',
  transport_configuration: {},
  datasets: [dataset],
  ...more,
})

test('a feed for MISP is a folder that MISP can fetch, event by event, and so can a feed of another installation', async () => {
  const { id } = await make('outgoing-feeds', feedOf())
  const ask = (file: string, headers = {}) =>
    corvus.call('GET', `outgoing-feeds/${id}/latest/misp/${file}`, undefined, undefined, headers)
  assert.equal((await ask('manifest.json')).status, 404, 'it has not run yet')
  await outgoingFeed.run(jobOf(id))
  const { status, body: manifest, headers } = await ask('manifest.json')
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
  assert.equal(Object.keys(manifest).length, 2)
  assert.equal((await ask('manifest.json', { 'if-none-match': String(headers.etag) })).status, 304)
  for (const uuid of Object.keys(manifest)) assert.equal((await ask(`${uuid}.json`)).body.Event.uuid, uuid)
  assert.equal((await ask('hashes.csv')).headers['content-type'], 'text/csv; charset=utf-8')
  for (const file of ['none.json', '..', '%2e%2e%2fmanifest.json']) assert.equal((await ask(file)).status, 404, file)

  const address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  const { collect, stop } = startCollecting()
  const url = `${address}/api/v2/outgoing-feeds/${id}/latest/misp`
  const { pieces, cursor } = await collect('misp-feed', { url, token: corvus.admin })
  const findings = await Promise.all(pieces.map(({ text }) => Array.fromAsync(readMisp(documentOf(text)))))
  const titles = findings.flat().flatMap((finding) => (finding.kind === 'entity' ? [finding.entity.data.title] : []))
  assert.deepEqual(titles.sort(), ['robin', 'wren'])
  assert.deepEqual((await collect('misp-feed', { url, token: corvus.admin }, { cursor })).pieces, [])
  await stop()
})

test('only a feed for MISP has such a folder, for users who may read its blocks', async () => {
  const { id } = await make('outgoing-feeds', feedOf({ name: 'Events', content_type: 'urn:misp:json:1.0' }))
  await outgoingFeed.run(jobOf(id))
  assert.equal((await corvus.call('GET', `outgoing-feeds/${id}/latest/misp/manifest.json`)).status, 404)
  const { body } = await corvus.call('GET', `outgoing-feeds/${id}/latest/content`)
  assert.equal(body.response.length, 2)
  const token = await corvus.tokenFor(['read outgoing-feeds'])
  const refused = await corvus.call('GET', `outgoing-feeds/${id}/latest/misp/manifest.json`, undefined, token)
  assert.equal(refused.status, 403)
})

test('events are written as a whole: other strategies than REPLACE are refused', async () => {
  for (const update_strategy of ['APPEND', 'DIFF']) {
    const { status, body } = await corvus.call('POST', 'outgoing-feeds', feedOf({ name: 'Wrong', update_strategy }))
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /update_strategy/)
  }
})
