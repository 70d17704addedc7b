import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { base64, corvus, digest, download, post } from '../../../test/set-up/files.ts'

test('a file has the fields of the specification, its content is write-only, and a run imports it', async () => {
  const bytes = 'Seen at login.bank.example.\n'
  const made = await post({ name: 'a.txt', data: base64(bytes), size: 9, status: 'SUCCESS', format: 'pdf', run: null })
  const { id, created_at, created_by, last_updated_at, last_updated_by, run, source, ...rest } = made
  assert.ok(created_at && created_by && last_updated_at && last_updated_by)
  assert.ok(source.startsWith(`${BASE}/api/v2/sources/`))
  assert.ok(run.startsWith(`${BASE}/api/v2/tasks/runs/`))
  assert.deepEqual(rest, {
    name: 'a.txt',
    content_type: 'application/octet-stream',
    download_url: `${BASE}/api/v2/files/${id}/download`,
    size: bytes.length,
    hashes: { md5: digest('md5', bytes), sha1: digest('sha1', bytes), sha256: digest('sha256', bytes) },
    format: null,
    process: true,
    status: 'SENT',
    result: null,
    reason: null,
    entities: [],
    workspaces: [],
    csv_mapping: null,
    inline_csv_mapping: null,
    password: null,
    tags: [],
    tlp_color: null,
  })
  assert.deepEqual((await corvus.call('GET', `files/${id}`)).body.data, made)
  const { body } = await corvus.call('GET', run.slice(BASE.length))
  assert.deepEqual([body.data.parameters, body.data.state], [{ file: id }, 'SENT'])
})

test('a file that is only stored has no run', async () => {
  const { run, status, process } = await post({ name: 'kept.bin', data: base64('x'), process: false })
  assert.deepEqual([run, status, process], [null, null, false])
})

test('the same file twice is one record, by POST and by PUT, and POST imports it again', async () => {
  const item = { name: 'twice.txt', data: base64('twice') }
  const { id, run } = await post(item)
  const again = await corvus.call('POST', 'files', item)
  assert.deepEqual([again.status, again.body.data.id, again.body.data.run], [201, id, run], 'its run is under way')
  const put = await corvus.call('PUT', 'files', [item])
  assert.deepEqual([put.status, put.body.data[0].id, put.body.data[0].run], [200, id, run])
  const other = await corvus.call('PUT', 'files', [{ ...item, name: 'other.txt' }])
  assert.deepEqual([other.status, other.body.data[0].id === id], [201, false])
  const token = await corvus.tokenFor(['modify files', 'read files'])
  const theirs = await corvus.call('POST', 'files', item, token)
  assert.deepEqual([theirs.status, theirs.body.data.id === id], [201, false])
  await corvus.pool.query(`update task_runs set state = 'SUCCESS', ended_at = now() where id = $1`, [
    run.split('/').at(-1),
  ])
  const third = await corvus.call('POST', 'files', item)
  assert.deepEqual([third.body.data.id, third.body.data.run === run], [id, false])
})

test('PUT of a file whose run failed imports it again, and POST …/process does so at any time', async () => {
  const item = { name: 'failing.txt', data: base64('failing') }
  const { id, run } = await post(item)
  assert.equal((await corvus.call('POST', `files/${id}/process`)).status, 409)
  const end = (state: string) =>
    corvus.pool.query('update task_runs set state = $2, ended_at = now() where id = $1', [run.split('/').at(-1), state])
  await end('FAILURE')
  const second = (await corvus.call('PUT', 'files', [item])).body.data[0].run
  assert.notEqual(second, run)
  await corvus.pool.query(`update task_runs set state = 'SUCCESS', ended_at = now() where ended_at is null`)
  assert.equal((await corvus.call('PUT', 'files', [item])).body.data[0].run, second)
  const { status, body } = await corvus.call('POST', `files/${id}/process`)
  assert.equal(status, 202)
  assert.deepEqual((await corvus.call('GET', `files/${id}`)).body.data.run, body.data.task_run)
  assert.equal((await corvus.call('POST', 'files/999999/process')).status, 404)
})

test('the name and settings of a file can be changed, but not its content', async () => {
  const mapping = (await corvus.call('POST', 'csv-mappings', { data: { name: 'm', mappings: [] } })).body.data
  const { id } = await post({ name: 'a.csv', data: base64('a,b'), process: false })
  const patch = { name: '../b.csv', csv_mapping: mapping.id, tags: ['x'], tlp_color: 'AMBER_STRICT', workspaces: [1] }
  const changed = await corvus.call('PATCH', `files/${id}`, { data: { ...patch, password: 'infected' } })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { name, csv_mapping, tags, tlp_color, workspaces, password } = changed.body.data
  assert.deepEqual([name, tags, tlp_color], ['b.csv', ['x'], 'RED'])
  assert.equal(csv_mapping, `${BASE}/api/v2/csv-mappings/${mapping.id}`)
  assert.deepEqual(workspaces, [`${BASE}/api/v2/workspaces/1`])
  assert.equal(password, '<PASS_THROUGH_TOKEN>')
  const { rows } = await corvus.pool.query('select password from files where id = $1', [id])
  assert.ok(!rows[0].password.includes('infected'))
  assert.equal((await corvus.call('PATCH', `files/${id}`, { data: { data: base64('other') } })).status, 400)
  assert.equal((await download(id)).body, 'a,b')
})

test('a new file needs content, a group’s source and a fitting size', async () => {
  const refused = async (item: Record<string, unknown>, status: number) => {
    const answer = await corvus.call('POST', 'files', { data: item })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body[0].detail
  }
  assert.equal(await refused({ name: 'x' }, 400), 'data: is required')
  assert.match(await refused({ data: '!' }, 400), /^data\.data: must be base64/)
  assert.match(await refused({ data: base64(randomBytes(3 * 1024 * 1024 + 1)) }, 413), /^data: must be at most 3145728/)
  const source = '00000000-0000-7000-8000-000000000000'
  assert.match(await refused({ data: 'YQ==', source }, 403), /^source: /)
  const put = await corvus.call('PUT', 'files', [{ data: 'YQ==' }, { name: 'x' }])
  assert.deepEqual([put.status, put.body[0].detail], [400, '[1].data: is required'])
})

test('files are found by hash, by name and by queries', async () => {
  const bytes = randomBytes(2000)
  const { id } = await post({ name: 'Night-heron report.pdf', data: base64(bytes), content_type: 'application/pdf' })
  for (const search of [
    `filter[hashes.md5]=${digest('md5', bytes)}`,
    `filter[hashes.sha1]=${digest('sha1', bytes).toUpperCase()}`,
    `filter[hashes.sha256]=${digest('sha256', bytes)}`,
    'filter[name]=Night-heron report.pdf&filter[size]=2000',
    'query=heron AND content_type:"application/pdf"',
    'query=name:night* AND size:[1999 TO 2001] AND status:sent',
    `query=hashes.sha256:${digest('sha256', bytes)} AND created_at:>now-1d`,
    `query=${digest('md5', bytes)}`,
  ]) {
    const { body } = await corvus.call('GET', `files?${search}`)
    assert.deepEqual(
      body.data?.map((file: { id: number }) => file.id),
      [id],
      `${search} ${JSON.stringify(body).slice(0, 300)}`,
    )
  }
  assert.equal((await corvus.call('GET', 'files?query=name:nothing&data=false')).body.total_count, 0)
  assert.equal((await corvus.call('GET', 'files?filter[hashes.md5]=xyz')).status, 400)
})

test('a file is seen by its owner, and through its workspaces by others', async () => {
  const token = await corvus.tokenFor(['read files', 'modify files', 'read workspaces', 'modify workspaces'])
  const status = async (id: number) => (await corvus.call('GET', `files/${id}`, undefined, token)).status
  const { id } = await post({ name: 'seen.txt', data: base64('seen'), process: false })
  assert.equal(await status(id), 404)
  assert.equal((await corvus.call('GET', `files/${id}/download`, undefined, token)).status, 404)
  assert.equal((await corvus.call('DELETE', `files/${id}`, null, token)).status, 404)
  const hidden = (await corvus.call('POST', 'workspaces', { data: { name: 'hidden' } })).body.data
  const linked = await corvus.call('POST', `workspaces/${hidden.id}/files`, { data: [id] })
  assert.deepEqual(linked.body.data, [`${BASE}/api/v2/files/${id}`])
  assert.equal(await status(id), 404)
  assert.equal((await corvus.call('PUT', `workspaces/1/files/${id}`)).status, 200)
  assert.equal(await status(id), 200)
  assert.deepEqual((await corvus.call('GET', `files/${id}`, undefined, token)).body.data.workspaces, [
    `${BASE}/api/v2/workspaces/1`,
  ])
  assert.equal((await corvus.call('DELETE', `workspaces/1/files/${id}`)).status, 204)
  assert.equal(await status(id), 404)
  const noFiles = await corvus.tokenFor(['modify workspaces', 'read workspaces'])
  assert.equal((await corvus.call('POST', 'workspaces/1/files', { data: [id] }, noFiles)).status, 403)
})

test('a download knows ranges and tags, and no browser runs it', async () => {
  const bytes = randomBytes(300_000)
  const { id } = await post({ name: 'ü"x.html', data: base64(bytes), content_type: 'text/html', process: false })
  const all = await download(id)
  assert.ok(all.rawPayload.equals(bytes))
  const { headers } = all
  assert.deepEqual(
    [headers['content-type'], headers['x-content-type-options'], headers['content-security-policy']],
    ['application/octet-stream', 'nosniff', "sandbox; default-src 'none'"],
  )
  assert.equal(headers['content-disposition'], `attachment; filename="__x.html"; filename*=UTF-8''%C3%BC%22x.html`)
  const part = await download(id, { range: 'bytes=100-70099' })
  assert.deepEqual([part.statusCode, part.headers['content-range']], [206, 'bytes 100-70099/300000'])
  assert.ok(part.rawPayload.equals(bytes.subarray(100, 70_100)))
  assert.equal((await download(id, { range: 'bytes=300000-' })).statusCode, 416)
  assert.equal((await download(id, { 'if-none-match': String(headers.etag) })).statusCode, 304)
  assert.equal(headers.etag, `"${digest('sha256', bytes)}"`)
})
