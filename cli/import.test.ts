import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { corvus } from '../test/set-up/processing.ts'

let url: string
let folder: string
before(async () => {
  url = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'corvus-import-'))
  await mkdir(join(folder, 'reports/inner'), { recursive: true })
  await writeFile(join(folder, 'reports/first.txt'), 'It called 198.51.100.1.')
  await writeFile(join(folder, 'reports/inner/second.md'), '# Second\n\nIt called 198.51.100.2.')
  await writeFile(join(folder, 'reports/.hidden'), 'It called nobody.')
  await writeFile(join(folder, 'broken.json'), '{"type": "bundle", "objects": [')
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(args: readonly string[], input = '', token = corvus.admin) {
  const env = { ...process.env, CORVUS_TOKEN: token, CORVUS_DATA: folder }
  const child = spawn(process.execPath, [join(root, 'cli/corvus.ts'), '--json', 'import', '--url', url, ...args], {
    env,
    cwd: folder,
  })
  child.stdin.end(input)
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { rows: out === '' ? [] : JSON.parse(out), error, code }
}

test('all files of a folder are imported, and the summary lists each result', async () => {
  const { rows, error, code } = await run(['reports', '--tag', 'shelf', '--tlp', 'AMBER'])
  assert.equal(code, 0, error)
  assert.deepEqual(
    rows.map(({ file, format, state, entities }: Record<string, string>) => [file, format, state, entities]),
    [
      ['first.txt', 'text', 'SUCCESS', '1 created'],
      ['second.md', 'markdown', 'SUCCESS', '1 created'],
    ],
  )
  assert.match(error, /first\.txt: percent processed/)
  const { body } = await corvus.call('GET', 'entities?query=tags:shelf AND meta.tlp_color:AMBER&data=false')
  assert.equal(body.total_count, 2)
})

test('piped input is imported under the given name', async () => {
  const { rows, code } = await run(['-', '--name', 'piped.txt'], 'It called 198.51.100.3.')
  assert.deepEqual([rows[0].file, rows[0].state, code], ['piped.txt', 'SUCCESS', 0])
})

test('a failing file does not stop the others, and the exit code reports it', async () => {
  const { rows, error, code } = await run(['broken.json', 'reports/first.txt'])
  assert.equal(code, 1)
  assert.deepEqual(
    rows.map(({ state }: { state: string }) => state),
    ['FAILURE', 'SUCCESS'],
  )
  assert.match(rows[0].reason, /ends/)
  assert.equal(rows[1].entities, '1 unchanged')
  assert.match(error, /1 of 2 files could not be processed/)
})

test('every failure is reported in one sentence', async () => {
  const absent = await run(['no-such-file'])
  assert.deepEqual([absent.code, /There is no no-such-file/.test(absent.error)], [1, true])
  const nobody = await run(['reports/first.txt'], '', 'cvs_wrong')
  assert.equal(nobody.code, 1)
  assert.match(nobody.error + JSON.stringify(nobody.rows), /token is invalid/)
  const reader = await run(['reports/first.txt'], '', await corvus.tokenFor(['read files']))
  assert.match(reader.error + JSON.stringify(reader.rows), /Missing permissions: \[modify files\]/)
})
