import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { startApp } from '../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let url: string
let folder: string
before(async () => {
  corvus = await startApp()
  url = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'corvus-export-'))
  const items = ['heron', 'crane', 'crane two'].map((title, i) => ({
    data: { type: 'report', title },
    meta: { tlp_color: i === 2 ? 'RED' : 'GREEN' },
  }))
  assert.equal((await corvus.call('PUT', 'entities', items)).status, 201)
})
after(async () => {
  await corvus.stop()
  await rm(folder, { recursive: true, force: true })
})

async function run(args: readonly string[], { server = url, token = corvus.admin } = {}) {
  const env = { ...process.env, CORVUS_TOKEN: token, CORVUS_DATA: folder }
  const child = spawn(process.execPath, [join(root, 'cli/corvus.ts'), '--json', 'export', '--url', server, ...args], {
    env,
  })
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { out, error, code }
}

const TITLES = ['--fields', 'data.title']

test('a document is written to a file, and its summary to standard output', async () => {
  const file = join(folder, 'all.csv')
  const { out, error, code } = await run([...TITLES, '--output', file])
  assert.equal(code, 0, error)
  const { seconds, ...told } = JSON.parse(out)
  assert.equal(typeof seconds, 'number')
  const content = await readFile(file, 'utf8')
  assert.equal(content, 'data.title\r\nheron\r\ncrane\r\ncrane two\r\n')
  assert.deepEqual(told, { output: file, bytes: content.length, entities: 3, losses: 0 })
  assert.match(error, /all\.csv: 0 MB/)
})

test('a document is written to standard output, and its summary to standard error', async () => {
  const { out, error, code } = await run([...TITLES, '--query', 'data.title:crane', '--tlp', 'green'])
  assert.equal(code, 0, error)
  assert.equal(out, 'data.title\r\ncrane\r\n')
  assert.match(error, /"entities": 1/)
})

test('only entities of the dataset are exported', async () => {
  const [heron] = (await corvus.call('GET', 'entities?query=data.title:heron')).body.data
  const { body } = await corvus.call('POST', 'datasets', { name: 'Herons', workspaces: [1], entities: [heron.id] })
  const { out } = await run([...TITLES, '--dataset', String(body.data.id)])
  assert.equal(out, 'data.title\r\nheron\r\n')
})

test('a refused export exits with 1 and leaves no file, an invalid command exits with 2', async () => {
  const file = join(folder, 'none.csv')
  const wrong = await run([...TITLES, '--query', 'a:[', '--output', file])
  assert.equal(wrong.code, 1)
  assert.match(wrong.error, /^The export was refused with 400 Bad Request:\n {2}query: /)
  const token = await run(TITLES, { token: 'cvs_wrong' })
  assert.deepEqual([token.code, /The token is invalid/.test(token.error)], [1, true])
  const nowhere = await run([...TITLES, '--output', join(folder, 'absent', 'x.csv')])
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.error, /The document cannot be written/)
  assert.equal((await run(['--format', 'nonsense'])).code, 2)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => /none|partial/.test(name)),
    [],
  )
})

test('an incomplete document is an error and leaves no file', async () => {
  const broken = createServer((request, response) => {
    if (request.url?.includes('/export') !== true) response.end('{"data": {}}')
    else {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('data.title\r\n')
      setTimeout(() => response.destroy(), 50)
    }
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const server = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  const file = join(folder, 'broken.csv')
  const { code, error } = await run([...TITLES, '--output', file], { server })
  broken.close()
  assert.equal(code, 1)
  assert.match(error, /The export broke off before it was complete/)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('broken')),
    [],
  )
})
