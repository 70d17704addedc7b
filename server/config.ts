import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { S3Place } from './ports/blobs-s3.ts'
import { type Network, readNetwork } from './ports/outbound.ts'
import { StartError } from './ports/start-error.ts'

/** The configuration from the environment, read once at the start. */
export type Config = {
  databaseUrl: string | undefined
  dataFolder: string
  host: string
  port: number
  /** The public URL without a trailing slash; undefined means that it is taken from each request. */
  url: string | undefined
  adminPassword: string | undefined
  /** Seals secrets in the database; undefined means the key in the data folder. */
  secretKey: string | undefined
  logLevel: (typeof logLevels)[number]
  poolSize: number
  statementTimeoutMs: number
  /** The maximum size of a file, in bytes. */
  largestFile: number
  /** Where files are stored; undefined means the data folder. */
  s3: S3Place | undefined
  /** Networks that may be called although they are not public. */
  allowedNetworks: readonly Network[]
  /** The folders that feeds may read and write; everything else is out of reach. */
  feedFolders: readonly string[]
  /** Networks of proxies whose forwarding headers are trusted. */
  trustedProxies: readonly Network[]
  /** Networks that may read `/metrics` without a token. */
  metricsNetworks: readonly Network[]
  /** The header, in lower case, in which a trusted proxy names the signed-in user; undefined if there is none. */
  proxyUserHeader: string | undefined
  /** Ollama as set up by the operator; undefined means that administrators set it up in the configuration. */
  ollama:
    | {
        url: string
        apiKey: string | undefined
        username: string | undefined
        password: string | undefined
        caPath: string | undefined
        verifySsl: boolean
        proxy: string | undefined
      }
    | undefined
}

/** The root of the repository, with migrations, `var/` and the dependencies. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** The product version from package.json. */
export const version: string = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).version

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

// Messages continue the sentence "CORVUS_PORT …".
const environment = z.object({
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, 'must be a PostgreSQL URL such as postgresql://user:password@host:5432/database')
    .optional(),
  CORVUS_DATA: z.string().default(`${root}/var`),
  CORVUS_HOST: z.string().default('127.0.0.1'),
  CORVUS_PORT: wholeNumber(0, 65_535).default(8080),
  CORVUS_URL: z
    .string()
    .refine(isPublicUrl, 'must be an http or https URL such as https://corvus.example.org')
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  CORVUS_ADMIN_PASSWORD: z.string().optional(),
  CORVUS_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  CORVUS_LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  CORVUS_POOL_SIZE: wholeNumber(2, 1000).default(10),
  CORVUS_STATEMENT_TIMEOUT_MS: wholeNumber(0, 3_600_000).default(30_000),
  CORVUS_LARGEST_FILE: bytes(GIB, 5 * GIB),
  CORVUS_S3_ENDPOINT: z
    .string()
    .refine(isPublicUrl, 'must be an http or https URL such as https://s3.example.org')
    .optional(),
  CORVUS_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name such as corvus-files')
    .optional(),
  CORVUS_S3_REGION: z.string().default('us-east-1'),
  CORVUS_S3_ACCESS_KEY_ID: z.string().optional(),
  CORVUS_S3_SECRET_ACCESS_KEY: z.string().optional(),
  CORVUS_S3_PREFIX: z
    .string()
    .regex(/^\w[\w.-]*(\/\w[\w.-]*)*\/?$/, 'must be names separated by slashes, such as corvus/files')
    .transform((prefix) => prefix.replace(/\/?$/, '/'))
    .default(''),
  CORVUS_ALLOWED_NETWORKS: networks().default([]),
  CORVUS_FEED_FOLDERS: folders().default([]),
  CORVUS_TRUSTED_PROXIES: networks().default([]),
  CORVUS_METRICS_NETWORKS: networks().default([]),
  CORVUS_PROXY_USER_HEADER: z
    .string()
    .regex(
      /^(?!authorization$|cookie$|host$|forwarded$|x-forwarded-)[a-z][a-z0-9-]*$/i,
      'must be a dedicated header such as X-Remote-User',
    )
    .toLowerCase()
    .optional(),
  CORVUS_OLLAMA_URL: z
    .string()
    .refine(isPublicUrl, 'must be an http or https URL such as http://127.0.0.1:11434')
    .optional(),
  CORVUS_OLLAMA_API_KEY: z
    .string()
    .regex(/^[!-~]+$/, 'must be letters, digits and symbols without spaces')
    .optional(),
  CORVUS_OLLAMA_USERNAME: z.string().optional(),
  CORVUS_OLLAMA_PASSWORD: z.string().optional(),
  CORVUS_OLLAMA_CA: z.string().optional(),
  CORVUS_OLLAMA_VERIFY_SSL: z.enum(['true', 'false'], 'must be true or false').default('true'),
  CORVUS_OLLAMA_PROXY: z
    .string()
    .refine(isPublicUrl, 'must be an http or https URL such as http://proxy.example.org:3128')
    .optional(),
})

type Environment = z.output<typeof environment>

/** Reads the environment. The error is one sentence with the invalid variable and its valid values. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // Compose files and shells pass "not set" as an empty string.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const result = environment.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]
    throw new StartError(`${issue?.path.join('.')} ${issue?.message}.`)
  }
  const values = result.data
  if (values.CORVUS_PROXY_USER_HEADER !== undefined && values.CORVUS_TRUSTED_PROXIES.length === 0) {
    throw new StartError('CORVUS_PROXY_USER_HEADER requires the addresses of the proxies in CORVUS_TRUSTED_PROXIES.')
  }
  return {
    databaseUrl: values.DATABASE_URL,
    dataFolder: resolve(values.CORVUS_DATA),
    host: values.CORVUS_HOST,
    port: values.CORVUS_PORT,
    url: values.CORVUS_URL,
    adminPassword: values.CORVUS_ADMIN_PASSWORD,
    secretKey: values.CORVUS_SECRET_KEY,
    logLevel: values.CORVUS_LOG_LEVEL,
    poolSize: values.CORVUS_POOL_SIZE,
    statementTimeoutMs: values.CORVUS_STATEMENT_TIMEOUT_MS,
    largestFile: values.CORVUS_LARGEST_FILE,
    s3: s3In(values),
    allowedNetworks: values.CORVUS_ALLOWED_NETWORKS,
    feedFolders: values.CORVUS_FEED_FOLDERS,
    trustedProxies: values.CORVUS_TRUSTED_PROXIES,
    metricsNetworks: values.CORVUS_METRICS_NETWORKS,
    proxyUserHeader: values.CORVUS_PROXY_USER_HEADER,
    ollama: ollamaIn(values),
  }
}

function s3In(values: Environment): Config['s3'] {
  const { CORVUS_S3_ENDPOINT: endpoint, CORVUS_S3_REGION: region, CORVUS_S3_PREFIX: prefix } = values
  if (endpoint === undefined) return undefined
  const need = (name: 'CORVUS_S3_BUCKET' | 'CORVUS_S3_ACCESS_KEY_ID' | 'CORVUS_S3_SECRET_ACCESS_KEY'): string => {
    const value = values[name]
    if (value === undefined) throw new StartError(`CORVUS_S3_ENDPOINT requires ${name}.`)
    return value
  }
  return {
    endpoint,
    bucket: need('CORVUS_S3_BUCKET'),
    region,
    accessKeyId: need('CORVUS_S3_ACCESS_KEY_ID'),
    secretAccessKey: need('CORVUS_S3_SECRET_ACCESS_KEY'),
    prefix,
  }
}

function ollamaIn(values: Environment): Config['ollama'] {
  if (values.CORVUS_OLLAMA_URL === undefined) return undefined
  return {
    url: values.CORVUS_OLLAMA_URL,
    apiKey: values.CORVUS_OLLAMA_API_KEY,
    username: values.CORVUS_OLLAMA_USERNAME,
    password: values.CORVUS_OLLAMA_PASSWORD,
    caPath: values.CORVUS_OLLAMA_CA,
    verifySsl: values.CORVUS_OLLAMA_VERIFY_SSL === 'true',
    proxy: values.CORVUS_OLLAMA_PROXY,
  }
}

function wholeNumber(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
}

/** A number of bytes, plain or with a unit. */
function bytes(fallback: number, max: number) {
  const message = `must be a size such as 500 MiB, at most ${max / GIB} GiB`
  const units: Record<string, number> = { '': 1, kib: KIB, mib: MIB, gib: GIB }
  return z
    .string()
    .regex(/^\s*\d{1,12}\s*(?:[kmg]ib\s*)?$/i, message)
    .transform((text) => Number.parseInt(text, 10) * (units[text.replaceAll(/[\d\s]/g, '').toLowerCase()] ?? 1))
    .pipe(z.number().min(1, message).max(max, message))
    .default(fallback)
}

function networks() {
  const message = 'must be networks or addresses separated by commas, such as 10.0.0.0/8, 192.168.1.7'
  return z.string().transform((text, { issues }): Network[] =>
    text.split(',').flatMap((part) => {
      const network = readNetwork(part.trim())
      if (!network) issues.push({ code: 'custom', message, input: text })
      return network ? [network] : []
    }),
  )
}

function folders() {
  const message = 'must be absolute paths separated by colons, such as /srv/feeds:/mnt/intelligence'
  return z
    .string()
    .transform((text) => text.split(':').map((part) => part.trim()))
    .refine((paths) => paths.every((path) => isAbsolute(path) && resolve(path) !== '/'), message)
    .transform((paths) => paths.map((path) => resolve(path)))
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/\S/.test(text)
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
}
