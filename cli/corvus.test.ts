import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { buildApp } from '../server/app.ts'
import { readConfig, root } from '../server/config.ts'
import { createLog } from '../server/http/log.ts'
import { createDatabase, type TestDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'

let database: TestDatabase
let folder: string
before(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'corvus-cli-'))
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function corvus(args: readonly string[], { url = database.url, data = folder, input = '' } = {}) {
  const env = { ...process.env, DATABASE_URL: url, CORVUS_DATA: data, CORVUS_PORT: '1' }
  const child = spawn(process.execPath, [join(root, 'cli/corvus.ts'), ...args], { env })
  child.stdin.end(input)
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { out, error, code }
}

test('--help lists every command and succeeds', async () => {
  const { out, code } = await corvus(['--help'])
  assert.equal(code, 0)
  for (const name of ['serve', 'worker', 'migrate', 'status', 'user', 'token', 'backup', 'restore']) {
    assert.match(out, new RegExp(`^  ${name}\\b`, 'm'))
  }
})

test('an invalid command exits with 2, a failing one with 1, each with one sentence', async () => {
  const unknown = await corvus(['nonsense'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.error, /unknown command 'nonsense'/)
  assert.equal((await corvus(['token', 'create', '--user', 'admin'])).code, 2)
  const nobody = await corvus(['token', 'create', '--user', 'nobody', '--name', 'x'])
  assert.deepEqual(nobody, { out: '', error: "There is no user 'nobody'.\n", code: 1 })
})

test('token create prints only the token, which works until it is revoked', async () => {
  const made = await corvus(['token', 'create', '--user', 'admin', '--name', 'cli'])
  assert.equal(made.error, '')
  assert.match(made.out, /^cvs_[\w-]{43}\n$/)
  const app = await buildApp({ ...database, config: readConfig({ CORVUS_DATA: folder }), log: createLog('silent') })
  const status = async () => {
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    return (await app.inject({ url: '/api/v2/users/self', headers })).statusCode
  }
  assert.equal(await status(), 200)
  const [token] = JSON.parse((await corvus(['--json', 'token', 'list', '--user', 'admin'])).out)
  assert.equal(token.name, 'cli')
  assert.ok(!('hash' in token))
  assert.equal((await corvus(['token', 'revoke', 'cli', '--user', 'admin'])).code, 0)
  await until(async () => (await status()) === 401, 'the token is still valid')
  await app.close()
})

test('user create creates a user with roles and groups who must change the printed password', async () => {
  const made = await corvus(['--json', 'user', 'create', 'ada', '--role', 'Threat Analyst', '--group', 'Default'])
  assert.equal(made.code, 0, made.error)
  assert.ok(JSON.parse(made.out).one_time_password.length > 12)
  const { rows } = await database.pool.query(`select must_change_password from users where username = 'ada'`)
  assert.deepEqual(rows, [{ must_change_password: true }])
  const again = await corvus(['user', 'create', 'ada'])
  assert.deepEqual([again.code, again.error], [1, "The element already exists: username 'ada'.\n"])
  assert.equal(
    (await corvus(['user', 'create', 'eve', '--role', 'Nonsense'])).error,
    "There is no 'Nonsense' in roles.\n",
  )
})

test('user create reads a password from standard input, and refuses a weak one', async () => {
  const weak = await corvus(['user', 'create', 'bob', '--password-stdin'], { input: 'short\n' })
  assert.equal(weak.code, 1)
  assert.match(weak.error, /password: must have at least 10 characters/)
  const made = await corvus(['--json', 'user', 'create', 'bob', '--password-stdin'], { input: 'Long enough 1!\n' })
  assert.deepEqual(Object.keys(JSON.parse(made.out)), ['id', 'username'])
})

test('user unlock and reset-password restore access', async () => {
  await database.pool.query(`update users set is_locked = true, failed_attempts = 5 where username = 'admin'`)
  assert.equal((await corvus(['user', 'unlock', 'admin'])).code, 0)
  const { rows } = await database.pool.query(`select is_locked, failed_attempts from users where username = 'admin'`)
  assert.deepEqual(rows, [{ is_locked: false, failed_attempts: 0 }])
  assert.match((await corvus(['user', 'reset-password', 'ada'])).out, /one time password {2}\S{12,}/)
})

test('status prints versions and counts, as text and as JSON', async () => {
  const { out, code } = await corvus(['status'])
  assert.equal(code, 0)
  assert.match(out, /^database +PostgreSQL 18/m)
  assert.match(out, /^server +not running/m)
  assert.equal(JSON.parse((await corvus(['--json', 'status'])).out).server, 'not running')
})

test('a backup restored into an empty database is the same installation and continues its sequences', async () => {
  await database.pool.query(
    `insert into tickets (name, description) values ('kept', E'line\\n\\ttab \\\\ "quoted" \u00e9')`,
  )
  await writeFile(join(folder, 'secret.key'), 'a key that is longer than thirty-two characters')
  const file = join(folder, 'corvus.zip')
  const made = await corvus(['--json', 'backup', file])
  assert.equal(made.code, 0, made.error)
  assert.equal((await stat(file)).mode & 0o777, 0o600)

  const other = await createDatabase()
  const otherFolder = join(folder, 'other')
  const target = { url: other.url, data: otherFolder }
  const refused = await corvus(['restore', file], target)
  assert.equal(refused.code, 1)
  assert.match(refused.error, /Use --replace/)
  const restored = await corvus(['restore', file, '--replace'], target)
  assert.equal(restored.code, 0, restored.error)
  assert.equal(
    await readFile(join(otherFolder, 'secret.key'), 'utf8'),
    'a key that is longer than thirty-two characters',
  )

  const { rows: tables } = await database.pool.query(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { table_name } of tables) {
    const digest = `select count(*) as count, md5(string_agg(t::text, '|' order by t::text)) as content from ${table_name} as t`
    // Restoring rules gives them a new revision, so that no process uses those it read before.
    if (['migrations', 'entity_rule_revision'].includes(table_name)) continue
    const [before, now] = [(await database.pool.query(digest)).rows, (await other.pool.query(digest)).rows]
    assert.deepEqual(now, before, table_name)
  }
  const inserted = await other.pool.query(`insert into tickets (name) values ('next') returning id`)
  const newest = await database.pool.query('select max(id) as id from tickets')
  assert.equal(inserted.rows[0].id, newest.rows[0].id + 1)
  await other.drop()
})

test('restore refuses files that are not backups', async () => {
  const file = join(folder, 'no.zip')
  await writeFile(file, 'PK nonsense')
  const { code, error } = await corvus(['restore', file])
  assert.equal(code, 1)
  assert.match(error, /is not a Corvus backup/)
})

test('a backup to a place that cannot be written leaves nothing behind', async () => {
  const { code, error } = await corvus(['backup', join(folder, 'absent', 'x.zip')])
  assert.equal(code, 1)
  assert.match(error, /^The backup cannot be written/)
})
