import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { readConfig } from '../config.ts'
import { connect } from '../database/database.ts'
import { createLog } from '../http/log.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { faultOf } from './postgres-external.ts'
import { serverSettings } from './postgres-settings.ts'
import { ends, processName } from './process-state.ts'

const log = createLog('silent')
const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
// Longer than the path of a socket may be, in a folder that only this user may enter.
const dataFolder = join(folder, 'closed', 'deep'.repeat(20), 'data')
const data = join(dataFolder, 'postgres', 'data')
const opened: Postgres[] = []

await mkdir(join(folder, 'closed'), { mode: 0o700 })
after(async () => {
  for (const postgres of opened) await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const open = async (settings: Record<string, string> = {}) => {
  const postgres = await openPostgres(readConfig({ CORVUS_DATA: dataFolder, ...settings }), log)
  opened.push(postgres)
  return postgres
}
const query = async ({ connection }: Postgres, sql: string) => {
  const { pool, close } = connect(connection, { poolSize: 1, statementTimeoutMs: 10_000 })
  try {
    return (await pool.query(sql)).rows
  } finally {
    await close()
  }
}
const serverPid = async () => Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
const refusal = (settings: Record<string, string>) =>
  open(settings).then(
    () => assert.fail('nothing was refused'),
    (error) => {
      assert.equal(error.name, 'StartError', error.stack)
      return error.message
    },
  )

test('the first start creates a private UTF-8 database and removes leftovers of a killed one', async () => {
  await mkdir(join(dataFolder, 'postgres-new-999999999', 'data'), { recursive: true })
  const postgres = await open()
  assert.deepEqual(
    await query(
      postgres,
      `select datname, pg_encoding_to_char(encoding) as encoding, datlocale from pg_database where datname = 'corvus'`,
    ),
    [{ datname: 'corvus', encoding: 'UTF8', datlocale: 'C.UTF-8' }],
  )
  assert.deepEqual((await readdir(dataFolder)).sort(), ['postgres', 'postgres.log'])
  for (const name of ['postgres', 'postgres/data', 'postgres/password', 'postgres.log']) {
    assert.equal((await stat(join(dataFolder, name))).mode & 0o077, 0, name)
  }
  assert.deepEqual(await query(postgres, 'show listen_addresses'), [{ listen_addresses: '' }])
  await query(postgres, 'create table kept as select 1 as n')
  await postgres.stop()
})

test('a stopped server is down, and a new start finds its data', async () => {
  assert.ok(Number.isNaN(await serverPid()))
  const postgres = await open()
  assert.deepEqual(await query(postgres, 'select n from kept'), [{ n: 1 }])
  await postgres.stop()
})

test('processes share one server, and the last one to end stops it', async () => {
  const [first, second] = await Promise.all([open(), open()])
  const pid = await serverPid()
  await first.stop()
  assert.equal(await serverPid(), pid)
  assert.deepEqual(await query(second, 'select n from kept'), [{ n: 1 }])
  await second.stop()
  assert.ok(Number.isNaN(await serverPid()))
})

test('a killed server is restarted', async () => {
  const postgres = await open()
  const killed = await serverPid()
  await ends(killed, 'SIGKILL', 5_000)
  await until(() => query(postgres, 'select n from kept').catch(() => undefined), 'it was not restarted')
  assert.notEqual(await serverPid(), killed)
  await postgres.stop()
})

test('a lock file whose process id belongs to another program is ignored', async () => {
  const { uid, gid } = await stat(data)
  const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  await once(other, 'spawn')
  try {
    await writeFile(
      join(data, 'postmaster.pid'),
      `${other.pid}\n/proc/self/cwd\n1700000000\n5432\n.\n\n 1 1\nready   \n`,
    )
    const postgres = await open()
    assert.notEqual(await serverPid(), other.pid)
    await postgres.stop()
  } finally {
    other.kill()
  }
})

test('data of another PostgreSQL version is left untouched', async () => {
  await writeFile(join(data, 'PG_VERSION'), '17\n')
  assert.match(await refusal({}), /was created by PostgreSQL 17, but this version of Corvus includes PostgreSQL 18/)
  await writeFile(join(data, 'PG_VERSION'), '18\n')
})

test('the error quotes a server that does not start', async () => {
  const control = join(data, 'global', 'pg_control')
  const content = await readFile(control)
  await writeFile(control, 'broken')
  assert.match(await refusal({}), /^PostgreSQL did not start: .*pg_control.* \(its log is .*postgres\.log\)\.$/)
  await writeFile(control, content)
})

test('a data folder that cannot be created is reported in one sentence', async () => {
  await writeFile(join(folder, 'file'), '')
  const message = await refusal({ CORVUS_DATA: join(folder, 'file', 'data') })
  assert.match(message, /^The data folder .*file\/data cannot be used \(a part of its path is not a folder\)/)
})

test('a folder that is not a database is left untouched', async () => {
  await mkdir(join(folder, 'other', 'postgres'), { recursive: true })
  assert.match(await refusal({ CORVUS_DATA: join(folder, 'other') }), /is not a PostgreSQL data folder/)
})

test('each problem with DATABASE_URL is reported in one sentence without its password', async () => {
  const { url, drop } = await createDatabase()
  const isReachable = await open({ DATABASE_URL: url })
  assert.equal(isReachable.isEmbedded, false)
  const password = /corvus:(.*?)@/.exec(url)?.[1] ?? assert.fail()
  for (const [address, sentence] of [
    [url.replace(password, 'wrong'), /rejects the user "corvus" in DATABASE_URL/],
    [url.replace(/test_\w+/, 'nowhere'), /has no database "nowhere"/],
    [url.replace(/host=.*/, 'host=%2Fnowhere'), /cannot be reached with DATABASE_URL: .*ENOENT/],
    [`postgresql://corvus:${password}@127.0.0.1:port/corvus`, /^DATABASE_URL cannot be used: Invalid URL\.$/],
    [`postgresql://corvus:${password}@127.0.0.1:1/corvus`, /at 127\.0\.0\.1:1 cannot be reached with DATABASE_URL/],
  ] as const) {
    const message = await refusal({ DATABASE_URL: address })
    assert.match(message, sentence)
    assert.ok(!message.includes(password) && !message.includes('wrong'))
  }
  await drop()
})

test('an unsuitable PostgreSQL is refused in one sentence', () => {
  const good = {
    number: 150_000,
    version: '15.0',
    encoding: 'UTF8',
    is_standby: false,
    may_create: true,
    extensions: ['pg_trgm', 'fuzzystrmatch'],
  }
  assert.equal(faultOf(good), undefined)
  assert.match(
    faultOf({ ...good, number: 140_012, version: '14.12' }) ?? '',
    /needs PostgreSQL 15 or newer.* 14\.12\.$/,
  )
  assert.match(faultOf({ ...good, extensions: ['pg_trgm'] }) ?? '', /lacks the extension fuzzystrmatch/)
  assert.match(faultOf({ ...good, encoding: 'LATIN1' }) ?? '', /LATIN1/)
  assert.match(faultOf({ ...good, is_standby: true }) ?? '', /standby/)
  assert.match(faultOf({ ...good, may_create: false }) ?? '', /may not create tables/)
})

test('settings depend on the machine', () => {
  const small = serverSettings({ memory: 512 * 1024 ** 2, disk: 8 * 1024 ** 3 })
  const large = serverSettings({ memory: 24 * 1024 ** 3, disk: 1024 ** 4 })
  assert.deepEqual([small.shared_buffers, small.work_mem, small.max_wal_size], ['64MB', '4MB', '512MB'])
  assert.deepEqual([large.shared_buffers, large.work_mem, large.max_wal_size], ['3072MB', '64MB', '8192MB'])
})

test('an ended process has no name', async () => {
  const child = spawn('true', { stdio: 'ignore' })
  await once(child, 'exit')
  assert.equal(await processName(child.pid ?? 0), undefined)
  assert.equal(typeof (await processName(process.pid)), 'string')
})
