import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FORM, formOf } from '../../../test/form.ts'
import { corvus, download, MAX_FILE_BYTES, stored, upload } from '../../../test/set-up/files.ts'

let address: string
before(async () => {
  address = await corvus.app.listen({ host: '127.0.0.1', port: 0 })
})

/** A request whose body is sent manually. */
function open(headers: Record<string, string> = {}): ClientRequest {
  const sent = request(`${address}/api/v2/files`, {
    method: 'POST',
    headers: { ...FORM, authorization: `Bearer ${corvus.admin}`, ...headers },
  })
  sent.on('error', () => {})
  return sent
}

async function answerOf(sent: ClientRequest): Promise<{ status: number | undefined; body: unknown }> {
  const [answer] = await once(sent, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) }
}

const total = async () => (await corvus.call('GET', 'files?data=false')).body.total_count

/** Waits until no upload is in progress. */
async function settled(): Promise<string[]> {
  for (;;) {
    const names = await stored()
    if (!names.some((name) => name.startsWith('incoming'))) return names
    await sleep(10)
  }
}

test('a form contains a file and its fields in any order', async () => {
  const fields = [
    { name: 'tags', value: 'one' },
    { name: 'tags', value: '["two", "three"]' },
    { name: 'workspaces', value: '1' },
    { name: 'process', value: 'false' },
    { name: 'inline_csv_mapping', value: '{"mappings": [{"column_name": "a"}]}' },
    { name: 'csv_mapping', value: '' },
    { name: 'no_such_field', value: 'x' },
  ]
  for (const [position, part] of ['file', 'data'].entries()) {
    const bytes = randomBytes(400_000)
    const file = { name: part, value: bytes, filename: 'ber icht-ü.bin', type: 'application/x-thing' }
    const parts = position === 0 ? [file, ...fields] : [...fields, file]
    const { status, body } = await upload(parts)
    assert.equal(status, 201, JSON.stringify(body))
    const { name, content_type, tags, workspaces, process, size, inline_csv_mapping } = body.data
    assert.deepEqual([name, content_type, size], ['ber icht-ü.bin', 'application/x-thing', 400_000])
    assert.deepEqual([tags, workspaces.length, process], [['one', 'two', 'three'], 1, false])
    assert.equal(inline_csv_mapping.mappings[0].column_name, 'a')
    assert.ok((await download(body.data.id)).rawPayload.equals(bytes))
  }
})

test('the name field overrides that of the part, and PUT of the same form is the same file', async () => {
  const parts = [
    { name: 'file', value: 'abc', filename: 'C:\\fakepath\\x.txt' },
    { name: 'name', value: 'own.txt' },
  ]
  const made = await upload(parts)
  assert.deepEqual([made.status, made.body.data.name], [201, 'own.txt'])
  const again = await upload(parts, { method: 'PUT' })
  assert.deepEqual([again.status, again.body.data.id], [200, made.body.data.id])
  assert.equal((await upload(parts)).body.data.id, made.body.data.id)
})

test('an invalid form is a 400 with a reason, and leaves nothing behind', async () => {
  const [files, count] = [await settled(), await total()]
  const file = { name: 'file', value: randomBytes(100_000), filename: 'x.bin' }
  for (const [parts, fault] of [
    [[{ name: 'name', value: 'x' }], /^file: is required/],
    [[file, { ...file, name: 'data' }], /^file: one request takes one file/],
    [[{ ...file, name: 'picture' }], /^picture: the part with the file must be called file or data/],
    [[file, { name: 'tlp_color', value: 'PINK' }], /^tlp_color: /],
    [[file, { name: 'workspaces', value: '[1' }], /^workspaces: is not valid JSON/],
    [[file, { name: 'workspaces', value: '424242' }], /^workspaces: there is no '424242'/],
    [[file, { name: 'inline_csv_mapping', value: '['.repeat(100_000) }], /nested deeper than 100 levels/],
    [[file, { name: 'name', value: 'a' }, { name: 'name', value: 'b' }], /^name: is given more than once/],
    [[file, { name: 'name', value: 'a'.repeat(600_000) }], /^name: must have at most/],
    [[file, ...Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, value: '' }))], /at most 100 fields/],
  ] as const) {
    const { status, body } = await upload(parts)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body[0].detail, fault)
  }
  assert.equal(await total(), count)
  assert.deepEqual((await settled()).filter((name) => !files.includes(name)).length, 1, 'swept later')
})

test('a body that is not a form is a 400, and other endpoints do not accept forms', async () => {
  const headers = { authorization: `Bearer ${corvus.admin}` }
  for (const [type, payload] of [
    ['multipart/form-data', 'x'],
    [FORM['content-type'], 'x'],
    [FORM['content-type'], ''],
    [FORM['content-type'], formOf([{ name: 'file', value: 'x', filename: 'x' }], false)],
  ] as const) {
    const answer = await corvus.app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { ...headers, 'content-type': type },
      payload,
    })
    assert.equal(answer.statusCode, 400, `${type} ${answer.body}`)
    assert.equal(answer.json()[0].status, 400)
  }
  const other = await corvus.call('POST', 'tickets', formOf([]).toString(), corvus.admin, FORM)
  assert.equal(other.status, 415)
})

test('a file beyond the limit is a 413 while it is sent, and leaves nothing behind', async () => {
  const files = await settled()
  const sent = open({ 'transfer-encoding': 'chunked' })
  sent.write(
    formOf([{ name: 'file', value: Buffer.alloc(MAX_FILE_BYTES - 1000), filename: 'x' }], false).subarray(0, -2),
  )
  sent.write(Buffer.alloc(500_000))
  const { status, body } = await answerOf(sent)
  assert.deepEqual(body, [
    { status: 413, title: 'Content Too Large', detail: `file: must be at most ${MAX_FILE_BYTES} bytes.` },
  ])
  assert.equal(status, 413)
  sent.destroy()
  assert.deepEqual(await settled(), files)
  const announced = open({ 'content-length': String(100 * MAX_FILE_BYTES) })
  announced.flushHeaders()
  assert.equal((await answerOf(announced)).status, 413)
  announced.destroy()
})

test('an interrupted upload leaves nothing behind', async () => {
  const [files, count] = [await settled(), await total()]
  const sent = open({ 'transfer-encoding': 'chunked' })
  sent.write(formOf([{ name: 'file', value: randomBytes(1_000_000), filename: 'x' }], false).subarray(0, -2))
  while (!(await stored()).some((name) => name.startsWith('incoming'))) await sleep(5)
  sent.destroy()
  assert.deepEqual(await settled(), files)
  assert.equal(await total(), count)
})

test('users who may not modify files are refused before a byte is read', async () => {
  const token = await corvus.tokenFor(['read files'])
  const sent = open({ authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' })
  sent.flushHeaders()
  assert.equal((await answerOf(sent)).status, 403)
  sent.destroy()
})

test('uploads of the same file at the same time are one file and one content', async () => {
  const parts = [{ name: 'file', value: randomBytes(500_000), filename: 'same.bin' }]
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(parts, { method: 'PUT' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.equal(new Set(answers.map(({ body }) => body.data.run)).size, 1)
})
