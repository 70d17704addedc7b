import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64 } from '../../../../test/set-up/detonators.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'

let counter = 0
const content = () => base64(`A requested program ${++counter}.`)
const address = () => `https://requested-${++counter}.example/path`

test('files, attachments and hashes of stored content are samples as well', async () => {
  const { id } = await corvus.detonator()
  const uploaded = await corvus.ask('POST', 'files', { name: 'stored.bin', data: content(), process: false })
  const ofFile = await corvus.ask('POST', 'detonations', { detonators: [id], file: uploaded.id })
  assert.partialDeepStrictEqual(ofFile[0], { kind: 'file', filename: 'stored.bin', hashes: uploaded.hashes })
  assert.match(ofFile[0].file, new RegExp(`/files/${uploaded.id}$`))
  const entity = await corvus.ask('POST', 'entities', { data: { type: 'report', title: 'With a file' } })
  const attached = await corvus.ask('POST', 'entities/attachments', {
    filename: 'attached.bin',
    data: content(),
    entities: [entity.id],
  })
  const ofAttachment = await corvus.ask('POST', 'detonations', { detonator: id, attachment: attached.id })
  assert.match(ofAttachment.origin, new RegExp(`/entities/${entity.id}$`))
  const hash = await corvus.ask('POST', 'observables', { type: 'hash-sha256', value: attached.hashes.sha256 })
  const ofHash = await corvus.ask('POST', 'detonations', { detonator: id, observable: hash.id })
  assert.equal(ofHash.id, ofAttachment.id, 'the same content is one submission')
  corvus.startLane()
  const ended = await corvus.inState(ofAttachment.id, ['FINISHED', 'FAILED'])
  assert.equal(ended.state, 'FINISHED', ended.state_reason)
  assert.match(String(corvus.vendor.received('submit').map(({ body }) => body)), /A requested program/)
  const again = await corvus.ask('POST', 'detonations', { detonator: id, attachment: attached.id })
  assert.equal(again.id, ofAttachment.id, 'a valid result is used again')
  const other = await corvus.ask('POST', 'detonations', {
    detonator: id,
    attachment: attached.id,
    options: { timeout: 5 },
  })
  assert.notEqual(other.id, ofAttachment.id, 'other options are another submission')
  const found = await corvus.ask(
    'GET',
    `detonations?filter[hashes.sha256]=${attached.hashes.sha256}&filter[state]=FINISHED`,
  )
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [ofAttachment.id],
  )
})

test('samples of the entities of a query are counted in a dry run, and submitted otherwise', async () => {
  const detonator = await corvus.detonator({ max_tlp: 'GREEN' })
  const tag = `query-${++counter}`
  const [open, restricted] = await corvus.ask('PUT', 'entities', [
    {
      data: { type: 'report', title: 'Open' },
      meta: { tags: [tag], tlp_color: 'GREEN' },
      observables: [
        { type: 'uri', value: address() },
        { type: 'domain', value: 'ignored.example' },
      ],
    },
    {
      data: { type: 'report', title: 'Restricted' },
      meta: { tags: [tag], tlp_color: 'RED' },
      observables: [{ type: 'uri', value: address() }],
    },
  ])
  assert.ok(restricted)
  await corvus.ask('POST', 'entities/attachments', { filename: 'a.bin', data: content(), entities: [open.id] })
  const wanted = { entities_query: `tags:${tag}`, detonators: [detonator.id] }
  const dry = await corvus.ask('POST', 'entities/by-query/detonate', { ...wanted, dry_run: true })
  assert.partialDeepStrictEqual(dry, { entities: 2, files: 1, urls: 2, submissions: 2, detonations: [] })
  assert.deepEqual(
    dry.withheld.map(({ count }: { count: number }) => count),
    [1],
  )
  assert.match(dry.withheld[0].reason, /TLP RED/)
  const made = await corvus.ask('POST', 'entities/by-query/detonate', wanted)
  assert.equal(made.detonations.length, 2)
  const files = await corvus.ask('POST', 'entities/by-query/detonate', {
    ...wanted,
    kinds: ['attachments'],
    dry_run: true,
  })
  assert.partialDeepStrictEqual(files, { files: 1, urls: 0, submissions: 1 })
})
