import { providers } from '../../server/ai/providers.ts'
import { refreshTable } from '../../server/automation/enrichers/tables/refresh-table.ts'
import type { CallContext } from '../../server/automation/playbooks/step.ts'
import { webhook } from '../../server/automation/playbooks/steps/webhook.ts'
import type { Job } from '../../server/background/task.ts'
import type { Item } from '../../server/engine/context.ts'
import { collectorOf } from '../../server/feeds/collecting/collectors.ts'
import { pushByHttp } from '../../server/feeds/publishing/http-push.ts'
import {
  INCOMING_TRANSPORTS,
  type IncomingTransport,
  OUTGOING_TRANSPORTS,
} from '../../server/feeds/transports/transports.ts'
import type { Outbound } from '../../server/ports/outbound.ts'
import type { startApp } from '../app.ts'

/** Sets an address in a setting of the product, makes the product call it, and returns its message. */
export type Place = (url: string) => Promise<unknown>

type App = Pick<Awaited<ReturnType<typeof startApp>>, 'call'>

const { signal } = new AbortController()
const outside = { folders: [], signal, log: () => {} }

/** An object with an address that can be tested: created with the first accepted address, and then updated. */
export function triedPlace({ call }: App, collection: string, item: (url: string) => Item): Place {
  let path: string | undefined
  return async (url) => {
    const written = path
      ? await call('PATCH', path, { data: item(url) })
      : await call('POST', collection, { data: item(url) })
    if (written.status >= 400) return written.body
    path ??= `${collection}/${written.body.data.id}`
    return (await call('POST', `${path}/test`)).body
  }
}

/** A table that is downloaded. */
export function downloadedPlace({ call, db }: App & { readonly db: Job['db'] }, outbound: Outbound): Place {
  const job = { db, outbound, signal, log: () => {}, callerId: null } as unknown as Job<{ table: number }>
  let id: number | undefined
  return async (url) => {
    const item = { name: 'downloaded', format: 'list', url }
    const written = id
      ? await call('PATCH', `enricher-tables/${id}`, { data: item })
      : await call('POST', 'enricher-tables', { data: item })
    if (written.status >= 400) return written.body
    id ??= Number(written.body.data.id)
    try {
      return await refreshTable.run({ ...job, parameters: { table: id } })
    } catch (error) {
      return (error as Error).message
    }
  }
}

/** The preview of a version of an attack framework. */
export const previewedPlace =
  ({ call }: App): Place =>
  async (url) =>
    (await call('POST', 'attacks/frameworks/preview', { data: { url } })).body

/** The providers of language models in turn. Each is asked for its models when it is set. */
export function aiPlace({ call }: App): Place {
  let turn = 0
  return async (url) => {
    const type = providers[turn++ % providers.length]?.setting.name
    const { body } = await call('PUT', 'configurations/ai', {
      data: { type, enabled: true, base_url: url, api_key: 'k' },
    })
    return body.data?.error_detail ?? body
  }
}

/** An incoming feed. */
export function collectedPlace(outbound: Outbound, name: string, given: (url: string) => Item): Place {
  const transport = `eiq.incoming-transports.${name}` as IncomingTransport
  return async (url) => {
    const parsed = INCOMING_TRANSPORTS[transport].configuration.safeParse(given(url))
    if (!parsed.success) return parsed.error.message
    const collector = await collectorOf(transport)
    const collecting = { ...outside, configuration: parsed.data, cursor: null, outbound, maxPieceBytes: 1000 }
    try {
      return await Array.fromAsync(collector(collecting))
    } catch (error) {
      return (error as Error).message
    }
  }
}

/** The step of a playbook that calls a webhook. */
export const steppedPlace =
  (outbound: Outbound): Place =>
  async (url) => {
    const parsed = webhook.parameters.safeParse({ url })
    if (!parsed.success) return parsed.error.message
    const step = { server: { outbound }, prepared: { body: '{}' }, playbook: { id: 1 }, run: 'r', key: 'k', signal }
    return webhook.call?.(step as unknown as CallContext, parsed.data).catch((error: Error) => error.message)
  }

/** An outgoing feed. */
export function pushedPlace(outbound: Outbound, given: (url: string) => Item): Place {
  const parcel = {
    ...{
      id: 1,
      feed: { id: 1, name: 'F' },
      filename: 'x',
      size: 1,
      sha256: '',
      contentType: 'x',
      mediaType: 'text/plain',
    },
    ...{ itemsCount: 1, createdAt: '', signature: null, attempt: 1, reached: [], reach: async () => {} },
    async *open() {
      yield Buffer.from('x')
    },
  }
  return async (url) => {
    const parsed = OUTGOING_TRANSPORTS['eiq.outgoing-transports.http-push'].configuration.safeParse(given(url))
    if (!parsed.success) return parsed.error.message
    const carrying = { ...outside, server: {} as never, configuration: parsed.data, outbound }
    return pushByHttp(parcel, carrying).catch((error: Error) => error.message)
  }
}
