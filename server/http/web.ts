import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '../config.ts'

/** Where the web interface is built. */
export const WEB_FOLDER = join(root, 'web/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** How files are packed when they are built, by the name that browsers know it by; the best one first. */
export const PACKED: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }

/** What belongs to the API and the files of pages, and is never a page itself. */
const NO_PAGE = /^\/(api|private|taxii2|docs|health|metrics|assets)(\/|\?|$)/

/** The web interface: every address that is none of the API's is a page of it. */
export interface Web {
  /** Serves the files that pages are made of. */
  serve(app: FastifyInstance): void
  /** Answers with the page at an address, where a browser asks for one. */
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/** Opens the web interface, if it is built. */
export async function openWeb(folder = WEB_FOLDER): Promise<Web | undefined> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (page === undefined) return undefined
  const files = await filesBelow(folder)
  return {
    serve(app) {
      for (const path of files.keys()) {
        if (path !== '/index.html' && !isPacked(path)) {
          app.get(path, async (request, reply) => sendFile(request, reply, { folder, files, path }))
        }
      }
    },
    answer(request, reply) {
      if (!isPage(request)) return undefined
      const nonce = randomBytes(16).toString('base64url')
      return reply
        .header('content-security-policy', policy(nonce))
        .type('text/html; charset=utf-8')
        .send(page.replace('%NONCE%', nonce))
    },
  }
}

/** Everything that a page may do: run our scripts, call us, and show what it makes itself. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const isPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !NO_PAGE.test(url) &&
  (/^\/(?:\?|$)/.test(url) || String(headers.accept ?? '').includes('text/html'))

interface File {
  readonly folder: string
  /** The sizes of all files by their paths. */
  readonly files: ReadonlyMap<string, number>
  readonly path: string
}

/** The names of files under `assets` change with what is in them: whoever has one never asks again. */
function sendFile(request: FastifyRequest, reply: FastifyReply, { folder, files, path }: File): FastifyReply {
  const isFixed = path.startsWith('/assets/')
  const encoding = Object.keys(PACKED).find((name) => accepts(request, name) && files.has(`${path}${PACKED[name]}`))
  const sent = encoding === undefined ? path : `${path}${PACKED[encoding]}`
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply
    .header('vary', 'accept-encoding')
    .header('cache-control', isFixed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    .header('content-length', files.get(sent))
    .type(TYPES[extname(path)] ?? 'application/octet-stream')
    .send(createReadStream(join(folder, sent)))
}

const accepts = ({ headers }: FastifyRequest, encoding: string): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((accepted) => accepted.split(';').map((part) => part.trim().toLowerCase()))
    .some(([name, ...options]) => name === encoding && !options.some((option) => /^q=0(?:\.0*)?$/.test(option)))

const isPacked = (path: string): boolean => Object.values(PACKED).includes(extname(path))

async function filesBelow(folder: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  const files = paths.map((path, i): [string, number] => [path.slice(folder.length), sizes[i] ?? 0])
  return new Map(files.filter(([path]) => !path.includes('/.')))
}
