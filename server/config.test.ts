import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, root } from './config.ts'
import { StartError } from './ports/start-error.ts'

const refusal = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof StartError)
    return error.message
  }
  return assert.fail('nothing was refused')
}

test('an empty environment gives the defaults', () => {
  assert.deepEqual(readConfig({}), {
    databaseUrl: undefined,
    dataFolder: `${root}/var`,
    host: '127.0.0.1',
    port: 8080,
    url: undefined,
    adminPassword: undefined,
    secretKey: undefined,
    logLevel: 'info',
    poolSize: 10,
    statementTimeoutMs: 30_000,
    largestFile: 1024 ** 3,
    s3: undefined,
    allowedNetworks: [],
    feedFolders: [],
    trustedProxies: [],
    metricsNetworks: [],
    proxyUserHeader: undefined,
    ollama: undefined,
  })
})

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ CORVUS_PORT: '', CORVUS_URL: ' ' }).port, 8080)
})

test('port 0 selects any free port', () => {
  assert.equal(readConfig({ CORVUS_PORT: '0' }).port, 0)
})

test('the public URL loses its trailing slash', () => {
  assert.equal(readConfig({ CORVUS_URL: 'https://corvus.example.org/base/' }).url, 'https://corvus.example.org/base')
})

test('feed folders are separated by colons', () => {
  assert.deepEqual(readConfig({ CORVUS_FEED_FOLDERS: '/srv/feeds/: /mnt/../mnt/x' }).feedFolders, [
    '/srv/feeds',
    '/mnt/x',
  ])
})

test('a relative data folder is resolved against the working directory', () => {
  assert.equal(readConfig({ CORVUS_DATA: 'data' }).dataFolder, `${process.cwd()}/data`)
})

for (const [variable, value] of [
  ['CORVUS_PORT', '65536'],
  ['CORVUS_PORT', '80a'],
  ['CORVUS_PORT', '-1'],
  ['CORVUS_URL', 'corvus.example.org'],
  ['CORVUS_URL', 'ftp://corvus.example.org'],
  ['CORVUS_LOG_LEVEL', 'loud'],
  ['CORVUS_POOL_SIZE', '0'],
  ['CORVUS_LARGEST_FILE', '0'],
  ['CORVUS_LARGEST_FILE', '6 GiB'],
  ['CORVUS_LARGEST_FILE', 'huge'],
  ['CORVUS_S3_ENDPOINT', 's3.example.org'],
  ['CORVUS_S3_BUCKET', 'Not A Bucket'],
  ['CORVUS_S3_PREFIX', '../x'],
  ['CORVUS_ALLOWED_NETWORKS', '10.0.0.0/8, home'],
  ['CORVUS_FEED_FOLDERS', 'feeds'],
  ['CORVUS_FEED_FOLDERS', '/srv/feeds:'],
  ['CORVUS_FEED_FOLDERS', '/srv/..'],
  ['CORVUS_TRUSTED_PROXIES', 'proxy.example.org'],
  ['CORVUS_PROXY_USER_HEADER', 'X Remote User'],
  ['CORVUS_PROXY_USER_HEADER', 'Cookie'],
  ['CORVUS_PROXY_USER_HEADER', 'X-Forwarded-For'],
  ['CORVUS_OLLAMA_URL', '127.0.0.1:11434'],
  ['CORVUS_OLLAMA_URL', 'http://user:password@127.0.0.1:11434'],
  ['CORVUS_OLLAMA_API_KEY', 'two words'],
  ['CORVUS_OLLAMA_VERIFY_SSL', 'no'],
  ['CORVUS_OLLAMA_PROXY', 'proxy'],
  ['DATABASE_URL', 'mysql://root@localhost/x'],
] as const) {
  test(`${variable}=${value} is refused with a sentence that begins with its name`, () => {
    assert.match(refusal({ [variable]: value }), new RegExp(`^${variable} must be .*\\.$`))
  })
}

test('the user header requires trusted proxies', () => {
  const header = { CORVUS_PROXY_USER_HEADER: 'X-Remote-User' }
  assert.match(refusal(header), /^CORVUS_PROXY_USER_HEADER requires .* CORVUS_TRUSTED_PROXIES\.$/)
  const config = readConfig({ ...header, CORVUS_TRUSTED_PROXIES: '10.0.0.0/8, ::1' })
  assert.equal(config.proxyUserHeader, 'x-remote-user')
  assert.equal(config.trustedProxies.length, 2)
})

test('Ollama can be set up by its address', () => {
  assert.equal(readConfig({ CORVUS_OLLAMA_API_KEY: 'key' }).ollama, undefined)
  assert.deepEqual(
    readConfig({ CORVUS_OLLAMA_URL: 'http://127.0.0.1:11434', CORVUS_OLLAMA_VERIFY_SSL: 'false' }).ollama,
    {
      url: 'http://127.0.0.1:11434',
      apiKey: undefined,
      username: undefined,
      password: undefined,
      caPath: undefined,
      verifySsl: false,
      proxy: undefined,
    },
  )
})

test('a refused address does not reveal its password', () => {
  assert.doesNotMatch(refusal({ DATABASE_URL: 'http://corvus:secret@localhost/x' }), /secret/)
})

test('file sizes are given in bytes or with a unit', () => {
  for (const [given, bytes] of [
    ['1000', 1000],
    ['500MiB', 500 * 1024 ** 2],
    [' 2 gib ', 2 * 1024 ** 3],
  ] as const) {
    assert.equal(readConfig({ CORVUS_LARGEST_FILE: given }).largestFile, bytes)
  }
})

test('an S3 server requires a bucket and keys, and its prefix ends with a slash', () => {
  const environment = {
    CORVUS_S3_ENDPOINT: 'https://s3.example.org',
    CORVUS_S3_BUCKET: 'corvus-files',
    CORVUS_S3_ACCESS_KEY_ID: 'id',
    CORVUS_S3_SECRET_ACCESS_KEY: 'key',
  }
  const place = {
    endpoint: 'https://s3.example.org',
    bucket: 'corvus-files',
    accessKeyId: 'id',
    secretAccessKey: 'key',
  }
  assert.deepEqual(readConfig(environment).s3, { ...place, region: 'us-east-1', prefix: '' })
  assert.equal(readConfig({ ...environment, CORVUS_S3_PREFIX: 'a/b' }).s3?.prefix, 'a/b/')
  for (const name of ['CORVUS_S3_BUCKET', 'CORVUS_S3_ACCESS_KEY_ID', 'CORVUS_S3_SECRET_ACCESS_KEY']) {
    assert.match(refusal({ ...environment, [name]: '' }), new RegExp(`requires ${name}`))
  }
})
