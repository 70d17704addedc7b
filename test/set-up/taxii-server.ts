import type { RequestListener } from 'node:http'
import { startServer } from './hostile-server.ts'

const TAXII = 'application/taxii+json;version=2.1'
export const COLLECTION = '472c94ae-3113-4e3e-a4dd-a9f4ac7471d4'

interface Added {
  readonly id: string
  readonly added: string
}

/** How a server deviates from the standard; by default not at all. */
interface Oddities {
  readonly withoutNext?: boolean
  readonly withoutDates?: boolean
  readonly sameNext?: boolean
  readonly isEmptyForever?: boolean
  readonly roots?: readonly string[]
  readonly withoutDefault?: boolean
  readonly withoutList?: boolean
}

/** A small TAXII 2.1 server with one collection. Each added object is a second newer than the one before. */
export async function startTaxiiServer() {
  const objects: Added[] = []
  let odd: Oddities = {}
  let places = 0
  const answer: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const send = (value: object, headers: Record<string, string> = {}, status = 200) =>
      void response.writeHead(status, { 'content-type': TAXII, ...headers }).end(JSON.stringify(value))
    if (request.headers.accept !== TAXII) return send({ title: 'no' }, {}, 406)
    if (pathname === '/taxii2/')
      return send({ ...(!odd.withoutDefault && { default: '/api/' }), api_roots: odd.roots ?? ['/api/'] })
    if (pathname === '/api/') return send({ title: 'A root', versions: [TAXII], max_content_length: 1000 })
    if (pathname === '/api/collections/') {
      if (odd.withoutList) return send({}, {}, 404)
      const shown = { id: COLLECTION, alias: 'threats', title: 'Threats', can_read: true, can_write: false }
      return send({ collections: [{ id: 'closed', title: 'Closed', can_read: false, can_write: true }, shown] })
    }
    if (pathname !== `/api/collections/${COLLECTION}/objects/`) return send({}, {}, 404)
    const next = searchParams.get('next')
    if (next !== null && !next.startsWith('place-')) return send({ title: 'unknown place' }, {}, 400)
    const after = searchParams.get('added_after') ?? ''
    const start = next === null ? 0 : Number(next.split('-').at(-1))
    const limit = Math.min(Number(searchParams.get('limit')), 3)
    const found = objects.filter(({ added }) => added > after)
    const page = odd.isEmptyForever ? [] : found.slice(start, start + limit)
    const more = odd.isEmptyForever === true || found.length > start + limit
    const last = page.at(-1)?.added
    const place = odd.sameNext ? 'place-0' : `place-${places++}-${start + limit}`
    send(
      { ...(more && { more, ...(!odd.withoutNext && { next: place }) }), objects: page.map(({ id }) => ({ id })) },
      last === undefined || odd.withoutDates ? {} : { 'x-taxii-date-added-last': last },
    )
  }
  const server = await startServer(answer)
  return {
    ...server,
    add: (count: number) => {
      for (let at = 0; at < count; at++) {
        const { length } = objects
        const added = new Date(Date.UTC(2024, 0, 1, 0, 0, length)).toISOString().replace('Z', '001Z')
        objects.push({ id: `indicator--${length}`, added })
      }
    },
    is: (oddities: Oddities) => {
      odd = oddities
    },
    /** The page requests since the last call, as queries. */
    queries: () =>
      server.asked
        .splice(0)
        .map(({ url }) => new URL(url, 'http://x'))
        .filter(({ pathname }) => pathname.endsWith('/objects/'))
        .map(({ searchParams }) => Object.fromEntries(searchParams)),
  }
}
