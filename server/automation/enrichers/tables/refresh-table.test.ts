import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { tarOf, zipOf } from '../../../../test/set-up/archives.ts'
import { loadedTable, lookUps } from '../../../../test/set-up/enricher-tables.ts'
import { type Enrichers, type Reply, startEnrichers, status } from '../../../../test/set-up/enrichers.ts'
import { mmdbOf } from '../../../../test/set-up/mmdb.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const sends =
  (content: string | Buffer): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content)

const idOf = (url: string): string => url.split('/').at(-1) ?? ''

/** Runs the task of a table, and returns the run and the table. */
async function refreshed(table: { id: number; task: string }) {
  const started = await corvus.ask('POST', 'tasks/runs', { task: Number(idOf(table.task)) })
  return { run: await corvus.ended(started.id), table: await corvus.ask('GET', `enricher-tables/${table.id}`) }
}

test('a table is downloaded by its task on a schedule, and a look-up reads the new content', async () => {
  const schedule = { cron: null, interval: 86_400, time_zone: 'UTC' }
  const table = await corvus.ask('POST', 'enricher-tables', {
    name: 'tor-exits',
    format: 'list',
    url: `${corvus.source.url}/exits`,
    execution_schedule: schedule,
  })
  const task = await corvus.ask('GET', `tasks/${idOf(table.task)}`)
  assert.partialDeepStrictEqual(task, { type: 'enricher-table', is_owned: true, execution_schedule: schedule })
  assert.ok(task.next_run_at)
  corvus.source.answers('/exits', sends(gzipSync('198.51.100.21\n')))
  const { run, table: after } = await refreshed(table)
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.partialDeepStrictEqual(run.result, { rows: 1, isSame: false })
  assert.partialDeepStrictEqual(after, { rows: 1, status: 'SUCCESS' })
  const ask = await lookUps(corvus, 'table:tor-exits', ['ipv4'])
  assert.equal((await ask('ipv4', '198.51.100.21')).state, 'FOUND')
  assert.partialDeepStrictEqual((await refreshed(table)).run.result, { isSame: true })
})

test('a download that fails keeps the content and ends the run with a sentence', async () => {
  const table = await loadedTable(
    corvus,
    { name: 'kept', format: 'csv', key_column: 'domain', url: `${corvus.source.url}/kept` },
    'domain,team\nkept.example,SOC\n',
  )
  const ask = await lookUps(corvus, 'table:kept', ['domain'])
  const failures: [Reply, RegExp][] = [
    [status(404), /responded with 404\. The table keeps its content\./],
    [sends('a,b\n1,2\n'), /cannot be loaded: key_column: there is no 'domain'.* The table keeps its content\./],
    [sends(''), /cannot be loaded: must not be empty/],
    [sends(gzipSync('domain\nx.example\n').subarray(0, 20)), /cannot be loaded: .*/],
    [(response) => void response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), /not a public address/],
  ]
  for (const [reply, sentence] of failures) {
    corvus.source.answers('/kept', reply)
    const { run, table: after } = await refreshed(table)
    assert.equal(run.state, 'FAILURE')
    assert.match(run.error_detail, sentence)
    assert.partialDeepStrictEqual(after, { rows: 1, loaded_at: table.loaded_at, status: 'FAILURE' })
  }
  assert.equal((await ask('domain', 'kept.example')).state, 'FOUND')
})

test('an archive is a table if it has exactly one', async () => {
  const database = mmdbOf({ '203.0.113.0/24': { country_code: 'NL' } })
  const table = await corvus.ask('POST', 'enricher-tables', {
    name: 'archived',
    format: 'mmdb',
    url: `${corvus.source.url}/archive`,
  })
  corvus.source.answers(
    '/archive',
    sends(
      gzipSync(
        tarOf([
          { name: 'db/LICENSE.txt', content: 'Free.' },
          { name: 'db/country.mmdb', content: database },
        ]),
      ),
    ),
  )
  assert.equal((await refreshed(table)).run.state, 'SUCCESS')
  const ask = await lookUps(corvus, 'table:geoip', ['ipv4'], { table: 'archived' })
  assert.partialDeepStrictEqual(await ask('ipv4', '203.0.113.1'), { findings: [{ value: 'country:NL' }] })
  const two = await zipOf(['a.mmdb', 'b.mmdb'].map((name) => ({ name, content: database })))
  corvus.source.answers('/archive', sends(two))
  const several = (await refreshed(table)).run
  assert.match(several.error_detail, /the archive has several tables: a\.mmdb, b\.mmdb/)
  corvus.source.answers('/archive', sends(await zipOf([{ name: 'readme.txt', content: 'Nothing.' }])))
  assert.match((await refreshed(table)).run.error_detail, /the archive has no table/)
})

test('the task of a table is deleted with it, and only http and https addresses are accepted', async () => {
  const table = await corvus.ask('POST', 'enricher-tables', { name: 'gone', format: 'list' })
  const started = await corvus.call('POST', 'tasks/runs', { data: { task: Number(idOf(table.task)) } })
  assert.equal(started.status, 409)
  await corvus.ask('DELETE', `enricher-tables/${table.id}`)
  assert.equal((await corvus.call('GET', new URL(table.task).pathname)).status, 404)
  for (const url of ['file:///etc/passwd', 'https://user:secret@tables.example/', 'tables.example']) {
    const answer = await corvus.call('POST', 'enricher-tables', { data: { name: 'bad', format: 'list', url } })
    assert.equal(answer.status, 400, url)
  }
})
