import { Readable } from 'node:stream'
import { z } from 'zod'
import { tlpOf, tlpRank } from '../../../domain/tlp.ts'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import type { Context, Item } from '../../../engine/context.ts'
import { ApiError, badRequest } from '../../../engine/errors.ts'
import { string } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import { retried } from '../../../engine/retried.ts'
import { filename } from '../../../http/filename.ts'
import { content } from '../../../intelligence/attachments/content.ts'
import { tlpInput } from '../../../intelligence/entities/vocabulary.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { storeBlob } from '../../../intelligence/stored-blobs/store.ts'
import { serverSetting } from '../../../settings/server.ts'
import { readSetting } from '../../../settings/setting.ts'
import { adapterNamed } from '../find-adapter.ts'
import { type Asked, ask } from './ask.ts'
import { sampleOfDetonation } from './detonated-sample.ts'
import { READING } from './reading.ts'
import { type Rules, readRules, unusable, withheld, withheldBy } from './refusals.ts'
import { addressOf, readSamples, type SeenSample, sampleOfObservable, sentAddress, sentContent } from './samples.ts'

const MAX_DETONATORS = 20

const detonator = link('detonators').transform(({ id }) => Number(id))

/** The detonators of a request, and their options. */
export const toDetonators = {
  detonator: detonator.optional(),
  detonators: z.array(detonator).min(1).max(MAX_DETONATORS).optional(),
  options: z
    .record(string(1, 200), z.unknown())
    .default({})
    .describe('The options of the submission; see `ui_form_schema`.'),
}

const ORIGINS = ['file', 'attachment', 'observable', 'detonation', 'url', 'data'] as const

/** The body of a request to detonate one sample. */
export const requestBody = z
  .object({
    ...toDetonators,
    file: link('files')
      .transform(({ id }) => Number(id))
      .optional(),
    attachment: link('attachments')
      .transform(({ id }) => String(id))
      .optional(),
    observable: link('observables')
      .transform(({ id }) => Number(id))
      .optional()
      .describe('A uri, or the hash of a file that is stored here.'),
    detonation: link('detonations')
      .transform(({ id }) => String(id))
      .optional()
      .describe('A detonation whose sample is submitted again.'),
    url: string(1, 65_536).optional(),
    data: content.optional().describe('The content of a file in base64.'),
    filename: filename.optional(),
    tlp_color: tlpInput.nullable().optional().describe('The colour of the sample, if it is not higher already.'),
    force: z
      .boolean()
      .default(false)
      .describe(
        'Whether it is submitted even if there is a result, or the vendor knows it. It then counts as a submission.',
      ),
  })
  .superRefine((body, check) => {
    const given = ORIGINS.filter((name) => body[name] !== undefined)
    const issue = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
    if (given.length === 0) issue('file', `is required, unless there is one of ${ORIGINS.slice(1).join(', ')}`)
    for (const name of given.slice(1)) issue(name, `must not be given together with ${given[0]}`)
    if (body.detonators !== undefined && body.detonator !== undefined)
      issue('detonator', 'must not be given together with detonators')
    if (body.detonators === undefined && body.detonator === undefined)
      issue('detonators', 'is required, unless there is a detonator')
  })

export type DetonationRequest = z.output<typeof requestBody>

/** The permissions that a body needs. */
export const permissionsFor = (body: DetonationRequest): readonly string[] =>
  ORIGINS.flatMap((name) => (body[name] === undefined || name === 'detonation' ? [] : READING[name]))

/** The distinct detonators of a request. */
export const detonatorsIn = ({
  detonator,
  detonators,
}: Pick<DetonationRequest, 'detonator' | 'detonators'>): number[] => [
  ...new Set(detonators ?? (detonator === undefined ? [] : [detonator])),
]

/** Asks detonators for one sample, and returns the ids of the detonations. Not in a transaction, because content is stored first. */
export async function requestDetonation(ctx: Context, body: DetonationRequest): Promise<string[]> {
  const ids = detonatorsIn(body)
  const rules = await readRules(ctx, ids, ctx.caller.id)
  const sample = await sampleIn(ctx, body)
  const faults = [...('faults' in sample ? sample.faults : []), ...unknownAmong(ids, rules, body)]
  const known = ids.flatMap((id) => rules.get(id) ?? [])
  const options = readOptions(ctx, known, body.options)
  faults.push(...options.faults)
  if (!('faults' in sample)) faults.push(...unsupported(ctx, known, sample, body))
  if (faults.length > 0 || 'faults' in sample) throw badRequest(faults)
  const exclusion = await readExclusions(ctx.db)
  const refusals = known.flatMap((each) => {
    const reason = withheldBy(sample, each, exclusion)
    return unusable(ctx, each) ?? (reason === undefined ? [] : withheld(each, reason))
  })
  if (refusals[0]) throw refusalOf(refusals)
  if (body.data) await storeBlob(ctx, Readable.from([body.data.bytes]))
  const asked = known.map(
    ({ id }): Asked => ({
      detonator: id,
      sample,
      options: options.byDetonator.get(id) ?? {},
      isKept: body.data !== undefined || sample.isKept === true,
      isForced: body.force,
    }),
  )
  return retried(() => ctx.db.transaction().execute((db) => ask({ ...ctx, db, lookup: undefined }, asked)))
}

/** Several refusals as one, under the title of the first. */
const refusalOf = (refusals: readonly ApiError[]): ApiError =>
  new ApiError(
    409,
    refusals.flatMap(({ details }) => details),
    { title: refusals[0]?.title ?? 'Conflict' },
  )

type Wanted = SeenSample & { readonly isKept?: boolean }

async function sampleIn(ctx: Context, body: DetonationRequest): Promise<Wanted | { readonly faults: string[] }> {
  const downgrade = body.tlp_color ? (await readSetting(ctx.db, serverSetting)).tlp_amber_strict_downgrade : 'RED'
  const given = tlpRank(tlpOf(body.tlp_color, downgrade))
  const found = await find(ctx, body, given)
  if ('fault' in found) return { faults: [found.fault] }
  return {
    ...found,
    given: Math.max(given, found.given),
    rank: Math.max(given, found.rank),
    filename: body.filename || found.filename,
  }
}

type Found = Wanted | { readonly fault: string }

async function find(ctx: Context, body: DetonationRequest, given: number): Promise<Found> {
  const { file, attachment, observable, detonation, url, data } = body
  if (data) return sentContent(body.filename ?? '', { ...data, size: data.bytes.length }, given)
  if (url !== undefined) {
    const address = addressOf(url)
    return 'fault' in address ? { fault: `url: ${address.fault}` } : sentAddress(ctx, address.url, given)
  }
  if (observable !== undefined) {
    const sample = await sampleOfObservable(ctx, observable)
    if (!sample) return { fault: `observable: there is no '${observable}' in observables` }
    return 'fault' in sample ? { fault: `observable: ${sample.fault}` } : sample
  }
  if (detonation !== undefined) {
    const sample = await sampleOfDetonation(ctx, detonation)
    return 'fault' in sample ? { fault: `detonation: ${sample.fault}` } : sample
  }
  const wanted = file === undefined ? { attachments: [String(attachment)] } : { files: [file] }
  const [sample] = await readSamples(ctx, wanted)
  if (sample) return sample
  return {
    fault:
      file === undefined
        ? `attachment: there is no '${attachment}' in attachments`
        : `file: there is no '${file}' in files, or its content is gone`,
  }
}

const unknownAmong = (ids: readonly number[], rules: ReadonlyMap<number, Rules>, body: DetonationRequest): string[] =>
  ids.flatMap((id, i) =>
    rules.has(id) ? [] : [`${body.detonators ? `detonators[${i}]` : 'detonator'}: there is no '${id}' in detonators`],
  )

function unsupported(ctx: Context, known: readonly Rules[], { kind }: SeenSample, body: DetonationRequest): string[] {
  return known.flatMap(({ name, adapter }) => {
    const own = adapterNamed(ctx, adapter)
    if (!own || own.supportedTypes.includes(kind)) return []
    return [`${ORIGINS.find((origin) => body[origin] !== undefined)}: '${name}' does not take a ${kind}`]
  })
}

/** The options for each detonator, in which its defaults are filled in. An option that none of them knows is refused. */
export function readOptions(ctx: Pick<Context, 'sandboxes'>, known: readonly Rules[], options: Item) {
  const adapters = known.flatMap(({ id, adapter }) => {
    const own = adapterNamed(ctx, adapter)
    return own ? [{ id, own }] : []
  })
  const names = new Set(adapters.flatMap(({ own }) => Object.keys(own.options.shape)))
  const faults =
    adapters.length === 0
      ? []
      : Object.keys(options).flatMap((name) =>
          names.has(name) ? [] : [`options.${name}: is no option of these detonators`],
        )
  const byDetonator = new Map<number, Item>()
  for (const { id, own } of adapters) {
    const parsed = own.options.safeParse(options, { error: messageOf })
    if (parsed.success) byDetonator.set(id, parsed.data)
    else faults.push(...faultsOf(parsed.error, ['options']))
  }
  return { byDetonator, faults: [...new Set(faults)] }
}
