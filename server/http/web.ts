import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '../config.ts'

/** The folder of the built web interface. */
export const WEB_FOLDER = join(root, 'web/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The compressed variants of built files by content encoding, the preferred one first. */
export const PACKED: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }

/** Paths of the API and of static files, which are never pages. */
const NO_PAGE = /^\/(api|private|taxii2|docs|health|metrics|assets)(\/|\?|$)/

/** The web interface, which serves every path that does not belong to the API. */
export interface Web {
  /** Serves the static files of pages. */
  serve(app: FastifyInstance): void
  /** Responds with the page at a path if a browser requests one. */
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/** Opens the web interface if it has been built. */
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

/**
 * The Content-Security-Policy of pages: own scripts, calls to this server, and content that pages create themselves.
 */
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
  /** The sizes of all files by path. */
  readonly files: ReadonlyMap<string, number>
  readonly path: string
}

/** Sends a static file. File names under `assets` contain a content hash, so browsers may cache them forever. */
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
