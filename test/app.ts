import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { buildApp } from '../server/app.ts'
import type { Adapter } from '../server/automation/detonators/adapter.ts'
import { readConfig } from '../server/config.ts'
import { createDatabase, openDatabase } from './database.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
  readonly headers: Record<string, unknown>
}

export const BASE = 'http://corvus.test'

interface Outside {
  /** Environment variables in addition to those that every test has. */
  readonly environment?: Record<string, string>
  readonly log?: Logger
  /** The sandboxes that detonators can use, in place of those of the platform. */
  readonly sandboxes?: readonly Adapter[]
  /** Another application whose database and secret key this one uses, as two processes of one installation do. */
  readonly sharedWith?: { readonly url: string; readonly config: { readonly dataFolder: string } }
}

/** The whole application on its own database, and functions to call it; `onStatement` receives each SQL statement. */
export async function startApp(
  onStatement?: (statement: string) => void,
  { environment, log: writer, sharedWith, sandboxes }: Outside = {},
) {
  const made = sharedWith ? openDatabase(sharedWith.url) : await createDatabase()
  const log = ({ query }: { query: { sql: string } }) => onStatement?.(query.sql)
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  const watched = new Kysely<any>({ dialect: new PostgresDialect({ pool: made.pool }), log })
  const database = { ...made, ...(onStatement && { db: watched, lookup: () => undefined }) }
  const dataFolder = sharedWith?.config.dataFolder ?? (await mkdtemp(join(tmpdir(), 'corvus-test-')))
  const config = readConfig({ CORVUS_DATA: dataFolder, CORVUS_URL: BASE, DATABASE_URL: database.url, ...environment })
  const quiet = pino({ level: process.env.CORVUS_LOG_LEVEL ?? 'silent' })
  const app = await buildApp({ ...database, config, log: writer ?? quiet, sandboxes })
  await app.ready()
  const admin = await tokenFor('all')

  /** Creates a user with exactly these permissions, and returns their API token. */
  async function tokenFor(permissions: readonly string[] | 'all'): Promise<string> {
    const token = `cvs_${randomBytes(32).toString('base64url')}`
    const name = randomBytes(6).toString('hex')
    await sql`
      with u as (insert into users (username) values (${`user-${name}`}) returning id),
      made as (insert into roles (name) select ${`role-${name}`} where ${permissions !== 'all'} returning id),
      r as (
        select id from roles where ${permissions === 'all'} and name = 'System Admin'
        union all
        select id from made
      ),
      p as (
        insert into role_permissions (source, target)
        select made.id, permissions.id from made, permissions where permissions.name = any(${permissions === 'all' ? [] : permissions})
      ),
      h as (insert into role_users (source, target) select r.id, u.id from r, u),
      g as (insert into group_users (source, target) select groups.id, u.id from groups, u where groups.name = 'Default')
      insert into tokens (user_id, name, hash)
      select id, 'test', ${createHash('sha256').update(token).digest()} from u`.execute(database.db)
    return token
  }

  /** Calls the API as the administrator or with another token; null sends none. */
  async function call(
    method: Method,
    path: string,
    body?: unknown,
    token: string | null = admin,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const answer = await app.inject({
      method,
      url: path.startsWith('/') ? path : `/api/v2/${path}`,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isPlain = answer.headers['content-encoding'] === undefined && answer.body !== ''
    const isJson = isPlain && String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers }
  }

  /** Creates a group of the administrator whose source they can assign but not see. */
  async function blindGroup(name: string): Promise<{ readonly id: number; readonly source: string }> {
    const { id } = (await call('GET', 'users/self')).body.data
    const made = (await call('POST', 'groups', { name, users: [id] })).body.data
    await call('PATCH', `groups/${made.id}`, { data: { sources: [] } })
    return made
  }

  async function stop(): Promise<void> {
    await app.close()
    await database.drop()
    if (!sharedWith) await rm(dataFolder, { recursive: true, force: true })
  }

  return { app: app as FastifyInstance, ...database, config, call, tokenFor, blindGroup, admin, stop }
}
