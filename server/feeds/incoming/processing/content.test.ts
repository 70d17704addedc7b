import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createCleartextMessage, generateKey, sign } from 'openpgp'
import { zipOf } from '../../../../test/set-up/archives.ts'
import {
  ask,
  blobsOf,
  bundle,
  endOf,
  entitiesOf,
  indicator,
  makeFeed,
  makePushFeed,
  publisherUrl,
  pushed,
  runOf,
  served,
} from '../../../../test/set-up/incoming-feeds.ts'
import { signDetached } from '../../../domain/openpgp.ts'

const { privateKey } = await generateKey({ userIDs: [{ name: 'Ada', email: 'ada@example.org' }], format: 'object' })

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

test('if a signature is required, only content signed with a known key is processed', async () => {
  const feed = await makePushFeed({ require_valid_signature: true })
  const content = bundle(indicator('Signed inside'))
  const message = await createCleartextMessage({ text: content })
  const signed = await sign({ message, signingKeys: privateKey })
  await pushed(feed, signed)
  assert.match((await blobsOf(feed))[0].reason, /no public keys/)
  await ask('PATCH', 'configurations/public-keys', { data: { keys: [privateKey.toPublic().armor()] } })
  const { task_run } = await ask('POST', `incoming-feeds/${feed.id}/blobs/process`)
  const run = await endOf(task_run)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
  await pushed(feed, bundle(indicator('Not signed')))
  assert.equal((await blobsOf(feed))[1].reason, 'The content is not signed.')
  const titles = (await entitiesOf(feed)).map(({ data }) => (data as { title: string }).title)
  assert.deepEqual(titles, ['Signed inside'])
})

test('a detached signature is fetched with the document, and kept for processing it again', async () => {
  const content = bundle(indicator('Signed beside'))
  served.set('/signed', { content })
  served.set('/signed.asc', { content: await signDetached(privateKey.armor(), bytesOf(content)) })
  const configuration = { url: `${publisherUrl}/signed`, signature_url: `${publisherUrl}/signed.asc` }
  const feed = await makeFeed('', { transport_configuration: configuration, require_valid_signature: true })
  const run = await runOf(feed)
  assert.equal(run.state, 'SUCCESS', JSON.stringify([run.error_detail, run.log]))
  served.set('/signed', { content: bundle(indicator('Changed behind the signature')) })
  assert.equal((await runOf(feed)).state, 'WARNING')
  assert.deepEqual(
    (await blobsOf(feed)).map(({ state }: { state: string }) => state),
    ['SUCCESS', 'FAILURE'],
  )
})

test('archives are opened with the password of the feed', async () => {
  const packed = await zipOf([{ name: 'a.json', content: bundle(indicator('Packed')) }], { password: 'infected' })
  const feed = await makePushFeed({ archive_password: 'infected' })
  assert.deepEqual((await pushed(feed, packed)).result.entities, { created: 1 })
  const other = await makePushFeed({ archive_password: 'wrong' })
  assert.equal((await pushed(other, packed)).state, 'WARNING')
  assert.match((await blobsOf(other))[0].reason, /password/i)
})

test('tables are read by the mapping of the feed', async () => {
  const host = `${randomUUID()}.example`
  const mapping = await ask('POST', 'csv-mappings', {
    name: `Mapping ${randomUUID()}`,
    mappings: [
      { column_name: 'what', vendor_fields: ['title'] },
      { column_name: 'where', vendor_fields: ['extracts.domain'] },
    ],
    columns: ['what', 'where'],
    config: { delimiter: ';', first_row_is_header: true },
    default_field_values: { type: 'indicator' },
  })
  const feed = await makePushFeed({ csv_mapping: mapping.id, content_type: 'urn:x:csv-entities:1.0' })
  const run = await pushed(feed, `what;where\nA row of a feed;${host}\n`)
  assert.deepEqual(run.result.entities, { created: 1 }, JSON.stringify(run))
  assert.equal((await entitiesOf(feed))[0]?.incoming_feed, `http://corvus.test/api/v2/incoming-feeds/${feed.id}`)
})

test('attachments are imported only once, and can be read by users who see the entity', async () => {
  const id = `{https://feeds.example/}malware-${randomUUID()}`
  const attachments = [{ filename: 'note.txt', data: Buffer.from('Seen in mails.').toString('base64') }]
  const document = (title: string) =>
    JSON.stringify({ entities: [{ data: { type: 'malware', title, id }, attachments }] })
  const feed = await makePushFeed()
  assert.equal((await pushed(feed, document('First'))).state, 'SUCCESS')
  assert.deepEqual((await pushed(feed, document('Second'))).result.entities, { updated: 1 })
  const [entity] = await entitiesOf(feed)
  const [url, ...more] = (entity?.attachments ?? []) as string[]
  assert.deepEqual(more, [])
  assert.equal((await ask('GET', url ?? '')).filename, 'note.txt')
  const [found] = await ask('GET', `entities?filter[incoming_feed]=${feed.id}`)
  assert.equal(found.id, entity?.id)
})
