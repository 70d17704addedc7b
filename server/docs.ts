import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Resource } from './engine/resource.ts'
import type { Route } from './engine/route.ts'
import { openApi } from './openapi/openapi.ts'
import { describeShape } from './resources/shaping/describe-shape.ts'
import { PLAIN, type Shape } from './resources/shaping/shape.ts'

interface Parts {
  readonly resources: readonly Resource[]
  readonly routes: readonly Route[]
  readonly version: string
  baseUrl(request: FastifyRequest): string
  isSignedIn(request: FastifyRequest): Promise<boolean>
  shape(): Promise<Shape>
}

const DESCRIPTION = `Corvus keeps threat intelligence: entities, observables and the relationships between them.
Send an API token as \`Authorization: Bearer <token>\` (or \`Token <token>\`). Errors are lists of \`{status, title, detail}\`, one entry per fault.
The API guide in \`docs/api.md\` tells what this document cannot.`

const DOCUMENT = '/api/v2/openapi.json'
const SCRIPT = '/docs/js/scalar.js'

/** The addresses that we are known by, and what becomes of entities, hardly ever change. */
const MOST_MADE = 4

/** The OpenAPI document, and the page to read it and to try it out, with nothing loaded from elsewhere. */
export function serveDocs(app: FastifyInstance, parts: Parts): void {
  const { resources, routes, version, baseUrl } = parts
  const about = { title: 'Corvus', version, description: DESCRIPTION }
  const made = new Map<string, string>()

  app.get(DOCUMENT, async (request, reply) => {
    const serverUrl = baseUrl(request)
    // What an organisation made of its entities may tell more of it than strangers should know.
    const shape = (await parts.isSignedIn(request)) ? await parts.shape() : PLAIN
    const key = `${shape.version} ${serverUrl}`
    const text =
      made.get(key) ?? JSON.stringify(describeShape(openApi({ ...about, serverUrl }, resources, routes), shape))
    if (made.size === MOST_MADE) made.clear()
    made.set(key, text)
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  app.get(SCRIPT, async (_request, reply) => {
    reply.header('cache-control', 'private, max-age=86400').type('text/javascript; charset=utf-8')
    return reply.send(await loadScript())
  })
}

let script: Promise<string> | undefined

/**
 * The package brings its four megabytes of script inside its code, and gives them out only as a plugin: it is loaded when
 * somebody first opens the page, into a server that never listens.
 */
function loadScript(): Promise<string> {
  script ??= (async () => {
    const inner = Fastify()
    const { default: reference } = await import('@scalar/fastify-api-reference')
    await inner.register(reference, { routePrefix: '/docs', configuration: { url: DOCUMENT } })
    return (await inner.inject(SCRIPT)).body
  })()
  return script
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Corvus API</title></head>
<body><div id="app"></div><script src="${SCRIPT}"></script><script src="/docs/start.js"></script></body>
</html>
`

/** No fonts, no assistant, no telemetry: the page talks to this server only. */
const CONFIGURATION = {
  url: DOCUMENT,
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})\n`

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'"
