import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Resource } from '../engine/definition.ts'
import type { Route } from '../engine/route.ts'
import { openApi } from './openapi/openapi.ts'

type Document = ReturnType<typeof openApi>

/** What an installation adds to the OpenAPI document: its custom entity types and attributes. */
interface Customisation {
  readonly version: string
  describeIn(document: Document): Document
}

interface Parts {
  readonly resources: readonly Resource[]
  readonly routes: readonly Route[]
  readonly version: string
  baseUrl(request: FastifyRequest): string
  /** Callers who are not signed in see the document without customisation, because it may reveal what an organisation works on. */
  customisation(request: FastifyRequest): Promise<Customisation | null>
}

const DESCRIPTION = `Corvus manages threat intelligence: entities, observables and the relationships between them.
Send an API token as \`Authorization: Bearer <token>\` (or \`Token <token>\`). Errors are lists of \`{status, title, detail}\`, one entry per error.
The API guide in \`docs/api/README.md\` covers what this document cannot express.`

const DOCUMENT = '/api/v2/openapi.json'
const SCRIPT = '/docs/js/scalar.js'

/** Documents are cached by base URL and customisation, which rarely change. */
const MAX_CACHED_DOCUMENTS = 4

/** Serves the OpenAPI document and an interactive reference page that loads nothing from other servers. */
export function serveDocs(app: FastifyInstance, parts: Parts): void {
  const { resources, routes, version, baseUrl } = parts
  const about = { title: 'Corvus', version, description: DESCRIPTION }
  const documents = new Map<string, string>()
  let script: Promise<string> | undefined

  app.get(DOCUMENT, async (request, reply) => {
    const serverUrl = baseUrl(request)
    const customisation = await parts.customisation(request)
    const key = `${customisation?.version} ${serverUrl}`
    const describe = (): string => {
      const plain = openApi({ ...about, serverUrl }, resources, routes)
      return JSON.stringify(customisation?.describeIn(plain) ?? plain)
    }
    const text = documents.get(key) ?? describe()
    if (documents.size === MAX_CACHED_DOCUMENTS) documents.clear()
    documents.set(key, text)
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  app.get(SCRIPT, async (_request, reply) => {
    reply.header('cache-control', 'private, max-age=86400').type('text/javascript; charset=utf-8')
    script ??= loadScript()
    return reply.send(await script)
  })
}

/**
 * Loads the script of the reference page. The package contains 4 MB of script and serves it only as a Fastify plugin,
 * so it is loaded into a server that never listens, when the page is first opened.
 */
async function loadScript(): Promise<string> {
  const inner = Fastify()
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await inner.register(reference, { routePrefix: '/docs', configuration: { url: DOCUMENT } })
  return (await inner.inject(SCRIPT)).body
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Corvus API</title></head>
<body><div id="app"></div><script src="${SCRIPT}"></script><script src="/docs/start.js"></script></body>
</html>
`

/** No fonts, assistant or telemetry: the page contacts this server only. */
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
