import { Readable } from 'node:stream'
import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { readForm } from '../../exchange/files/multipart.ts'
import { webAddress } from '../../settings/values.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { changeReport } from './change-report-schema.ts'
import { download, receive } from './document.ts'
import { type FullReport, fullReport } from './full-report.ts'
import { getLoad, type Load, load } from './loads.ts'
import { OFFICIAL } from './official.ts'
import { previewOf } from './preview.ts'

/** A load with its report. */
export const reportedLoad = load.extend({ report: changeReport })
export type ReportedLoad = Load & { readonly report: FullReport }

const version = string(1, 40).regex(/^[0-9A-Za-z][0-9A-Za-z._-]*$/, 'must be a version such as 18.1')

const asked = z
  .object({ url: webAddress().optional(), matrix: z.enum(MATRICES).optional(), version: version.optional() })
  .refine(({ url, matrix }) => (url === undefined) !== (matrix === undefined), 'must have url or matrix')

type Asked = z.output<typeof asked>

/** An address, or a form that is still arriving. */
type Input = { readonly address: Asked } | { readonly form: Readable; readonly headers: Incoming['headers'] }

/** Compares a document with what is stored, without changing anything. */
export const previewFramework: Route<Input, ReportedLoad> = {
  method: 'POST',
  path: '/attacks/frameworks/preview',
  permission: 'modify attack',
  doc: {
    operationId: 'preview_attack_framework',
    summary:
      'Compare a version of an attack framework with the one that is stored. Send it as multipart/form-data with a part `file`, or name its address or matrix',
    tag: 'attacks',
    body: z.object({ data: asked }),
    example: { data: { matrix: 'enterprise-attack' } },
    success: { 201: z.object({ data: reportedLoad }) },
    refusals: [400, 413, 502, 503],
  },
  takes: 'multipart/form-data',
  isDetached: true,
  parse: ({ body, headers }) =>
    body instanceof Readable ? { form: body, headers } : { address: parseBody(asked, body) },
  run: async (ctx, input) => {
    const id = await ('form' in input ? previewForm(ctx, input) : previewAddress(ctx, input.address))
    return reported(ctx, id)
  },
  answer: (data) => ({ status: 201, body: { data } }),
}

/** A load with its report, as the caller sees it. */
export const reported = async (ctx: Context, id: number): Promise<ReportedLoad> => ({
  ...(await getLoad(ctx, id)),
  report: await fullReport(ctx, id),
})

async function previewForm(ctx: Context, { form, headers }: Extract<Input, { form: unknown }>): Promise<number> {
  const { fields, file } = await readForm(form, headers, (content) => receive(ctx, content))
  if (!file) throw badRequest('file: is required')
  await using content = file.taken
  const named = fields.get('version')?.at(-1)
  const parsed = version.optional().safeParse(named === '' ? undefined : named)
  if (!parsed.success) throw badRequest('version: must be a version such as 18.1')
  return await previewOf(ctx, content, { origin: file.name.slice(0, 200) || 'file', version: parsed.data })
}

async function previewAddress(ctx: Context, { url, matrix, version }: Asked): Promise<number> {
  const address = url ?? OFFICIAL[matrix ?? 'enterprise-attack']
  await using content = await download(ctx, address)
  return await previewOf(ctx, content, { origin: withoutQuery(address), version })
}

/** A query may contain a secret. */
const withoutQuery = (address: string): string => address.split(/[?#]/)[0] ?? address
