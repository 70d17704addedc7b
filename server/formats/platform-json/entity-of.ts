import { COMPUTED_META } from '../../domain/computed-meta.ts'
import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { FoundAttachment, FoundEntity, FoundObservable, KeptObject } from '../finding.ts'
import { foundObservable } from '../found-observable.ts'
import { type Json, listOf } from '../json/record.ts'
import { madeId } from '../made-id.ts'
import { maliciousnessNamed, maliciousnessOf } from '../maliciousness.ts'
import { originIn } from './origin-in.ts'

/** Fields of an entity that are meaningful only to the server that wrote them. */
const SERVER_FIELDS = new Set([
  'content-type',
  'content_type',
  'created_at',
  'created_by',
  'datasets',
  'id',
  'incoming_feed',
  'last_updated_at',
  'last_updated_by',
  'outgoing_feeds',
  'platform-version',
  'relevancy',
  'sources',
  'type',
])

const READ = new Set(['attachments', 'created', 'data', 'extracts', 'kept', 'meta', 'modified', 'observables'])

const SERVER_META = new Set<string>([...COMPUTED_META, 'bundled_extracts_only', 'source', 'sources'])

/** Reads an entity in any of its forms, with losses; or returns the reason why it is invalid. */
export function entityOf(item: Json): { readonly entity: FoundEntity; readonly losses: string[] } | string {
  if (!isRecord(item.data)) return 'has no data'
  const type = item.data.type ?? item.type
  const { title } = item.data
  if (typeof type !== 'string' || type === '') return 'data.type: is required'
  if (typeof title !== 'string') return 'data.title: is required'
  const losses: string[] = []
  const { taken, extracts } = metaOf(isRecord(item.meta) ? item.meta : {}, losses)
  const given = [...listOf(item.observables), ...listOf(item.extracts), ...extracts]
  const observables = given.flatMap((one) => validOrLost(observableIn(one), losses))
  const attachments = listOf(item.attachments).flatMap((one) => validOrLost(attachmentIn(one), losses))
  for (const name of Object.keys(item)) {
    if (!READ.has(name) && !SERVER_FIELDS.has(name)) losses.push(`unsupported field ${quoted(name)}`)
  }
  const data = { ...item.data, type: type === 'eclecticiq-sighting' ? 'vendor-sighting' : type, title }
  const id = typeof item.data.id === 'string' && item.data.id !== '' ? item.data.id : madeId(data.type, item)
  return {
    entity: {
      data: { ...data, id },
      meta: taken,
      observables,
      attachments,
      kept: keptObjects(item.kept, losses),
      ...originIn(item, data),
      ...(isRecord(item.meta) && item.meta.is_withdrawn === true && { isWithdrawn: true }),
    },
    losses,
  }
}

/** Reads an observable in any of its forms; or returns the reason why it is invalid. */
export function observableIn(given: unknown): FoundObservable | { readonly fault: string } {
  if (!isRecord(given)) return { fault: `observable ${quoted(given)} is not an object with type and value` }
  const meta = isRecord(given.meta) ? given.meta : {}
  const instance = isRecord(given.instance_meta) ? given.instance_meta : {}
  const [firstLink] = listOf(instance.link_types)
  const link = given.link_type ?? firstLink
  const maliciousness =
    maliciousnessNamed(given.maliciousness ?? meta.maliciousness) ??
    maliciousnessOf(given.classification ?? meta.classification, given.confidence ?? meta.confidence)
  return foundObservable(given.type ?? given.kind, given.value, {
    maliciousness,
    link_type: typeof link === 'string' ? link : undefined,
  })
}

const quoted = (value: unknown): string => `'${textFrom(value).slice(0, 80)}'`

/** Returns the value as a list, or adds its fault to the losses. */
function validOrLost<T extends object>(found: T | { readonly fault: string }, losses: string[]): T[] {
  if (!('fault' in found)) return [found]
  losses.push(found.fault)
  return []
}

/** Returns the meta in the form of requests, and the observables that older documents have there. */
function metaOf(meta: Json, losses: string[]): { readonly taken: Json; readonly extracts: readonly unknown[] } {
  const { bundled_extracts, manual_extracts, taxonomy, taxonomies, attack, attacks, ...rest } = meta
  const said = Object.entries(rest).filter(([name]) => !SERVER_META.has(name))
  const paths = [...listOf(taxonomies), ...listOf(taxonomy)].flatMap((one) => validOrLost(taxonomyIn(one), losses))
  const nodes = [...listOf(attacks), ...listOf(attack)].map(nodeIn)
  return {
    taken: {
      ...Object.fromEntries(said),
      ...(taxonomies || taxonomy ? { taxonomies: paths.map(({ path }) => path) } : {}),
      ...(attacks || attack ? { attacks: nodes } : {}),
    },
    extracts: [...listOf(bundled_extracts), ...listOf(manual_extracts)],
  }
}

/** The id of an attack node, which other servers send as an id, a URL or an object. */
const nodeIn = (given: unknown): string => textFrom(isRecord(given) ? given.id : given).replace(/^.*\/attacks\//, '')

/** Ids and URLs of taxonomies belong to the server that wrote the document, and may differ here. */
function taxonomyIn(given: unknown): { readonly path: string } | { readonly fault: string } {
  if (Array.isArray(given)) return { path: given.map(textFrom).join('/') }
  if (typeof given === 'string' && !/^\d+$|^https?:\/\/|\/taxonomies\//.test(given)) return { path: given }
  return { fault: `taxonomy ${quoted(given)} is not a path of names` }
}

function attachmentIn(given: unknown): FoundAttachment | { readonly fault: string } {
  const content = isRecord(given) ? (given.data ?? given.content) : undefined
  if (!isRecord(given) || typeof content !== 'string') return { fault: `attachment ${quoted(given)} has no content` }
  const bytes = Buffer.from(content, 'base64')
  const filename = textFrom(given.filename ?? given.name ?? '')
  // The decoder ignores everything that is not base64.
  const isWhole = bytes.length >= Math.floor((content.replaceAll(/[\s=]/g, '').length * 3) / 4)
  return isWhole ? { filename, bytes } : { fault: `attachment ${quoted(filename)} is not valid base64` }
}

function keptObjects(given: unknown, losses: string[]): KeptObject[] {
  return listOf(given).flatMap((one): KeptObject[] => {
    if (isRecord(one) && typeof one.id === 'string' && isRecord(one.object)) return [{ id: one.id, object: one.object }]
    losses.push('a kept object has no id')
    return []
  })
}
