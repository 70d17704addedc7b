import { growingPause } from '../until.ts'
import { type Json, receiver, sender } from './two-servers.ts'

/** A way to transfer the content of one server to another. */
export interface Way {
  readonly name: string
  readonly content_type: string
  /** The content type that the sender writes. */
  readonly update_strategy: 'APPEND' | 'REPLACE' | 'DIFF'
  readonly transport: 'taxii2' | 'push' | 'download'
  /** The content type that the receiver reads. */
  readonly follows: 'APPEND' | 'REPLACE' | 'DIFF'
}

const [STIX, JSON_3, ROWS, LIST] = [
  'urn:oasis:stix:json:2.1',
  'urn:eclecticiq.com:json:3.2',
  'urn:eclecticiq.com:csv-entities:1.0',
  'urn:eclecticiq.com:csv-extracts:1.0',
]

const way = (
  name: string,
  content_type: string,
  update_strategy: Way['update_strategy'],
  transport: Way['transport'],
  follows: Way['follows'] = update_strategy,
): Way => ({ name, content_type, update_strategy, transport, follows })

export const WAYS: readonly Way[] = [
  way('TAXII, revoked versions', STIX, 'APPEND', 'taxii2'),
  way('TAXII, whole collection', STIX, 'REPLACE', 'taxii2'),
  way('STIX pushed, changes', STIX, 'APPEND', 'push'),
  way('STIX pushed, everything', STIX, 'REPLACE', 'push'),
  way('JSON downloaded', JSON_3, 'REPLACE', 'download'),
  way('CSV of entities downloaded', ROWS, 'REPLACE', 'download'),
  way('CSV of entities pushed, changes', ROWS, 'DIFF', 'push'),
  way('CSV of observables pushed, changes', LIST, 'DIFF', 'push'),
  way('CSV of observables downloaded', LIST, 'REPLACE', 'download'),
]

export const hasRelationships = ({ content_type }: Way): boolean => [STIX, JSON_3].includes(content_type)
export const isList = ({ content_type }: Way): boolean => content_type === LIST

/** The two connected feeds of a way. */
export interface Connected {
  readonly dataset: number
  readonly outgoing: number
  readonly incoming: Json
}

/** Creates the feeds of a way on both servers, and the dataset that is published. */
export async function connect(each: Way): Promise<Connected> {
  const { name, content_type, update_strategy, transport, follows } = each
  const { id: dataset } = await sender.ask('POST', 'datasets', { name, workspaces: [1] })
  const common = { name, content_type, update_strategy, datasets: [dataset] }
  const receiving = { name, update_strategy: follows, content_type: transport === 'taxii2' ? null : content_type }
  if (transport === 'push') {
    const incoming = await receiver.ask('POST', 'incoming-feeds', { ...receiving, transport_type: 'push' })
    const url = `${receiver.address}/api/v2/incoming-feeds/${incoming.id}/push`
    const out = { transport_type: 'http-push', transport_configuration: { url, token: receiver.admin } }
    return { dataset, incoming, outgoing: (await sender.ask('POST', 'outgoing-feeds', { ...common, ...out })).id }
  }
  const isTaxii = transport === 'taxii2'
  const out = await sender.ask('POST', 'outgoing-feeds', {
    ...common,
    transport_type: isTaxii ? 'taxii2' : 'http-download',
  })
  const collection = String(out.transport_access_details.collection_url ?? '')
    .split('/')
    .at(-2)
  const incoming = await receiver.ask('POST', 'incoming-feeds', {
    ...receiving,
    transport_type: isTaxii ? 'taxii2' : 'http-download',
    transport_configuration: isTaxii
      ? { url: `${sender.address}/taxii2/root/`, collection_id: collection, token: sender.admin, page_size: 1000 }
      : { url: `${sender.address}/api/v2/outgoing-feeds/${out.id}/latest/content`, token: sender.admin },
  })
  return { dataset, incoming, outgoing: out.id }
}

/** Runs both feeds of a way, so that the receiver is up to date. */
export async function transfer({ transport }: Way, { outgoing, incoming }: Connected): Promise<void> {
  await sender.ended((await sender.ask('POST', `outgoing-feeds/${outgoing}/run`)).task_run)
  if (transport !== 'push') {
    await receiver.ended((await receiver.ask('POST', `incoming-feeds/${incoming.id}/run`)).task_run)
    return
  }
  for (const pause = growingPause(); ; await pause()) {
    const { n_blobs_pending, status } = await receiver.ask('GET', `incoming-feeds/${incoming.id}`)
    if (n_blobs_pending === 0 && !['RUNNING', 'CREATED', 'QUEUED'].includes(status)) return
  }
}
