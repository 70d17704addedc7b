import { z } from 'zod'
import { defineAction, parseBody } from '../../../engine/action.ts'
import type { AnyRow, Context } from '../../../engine/context.ts'
import { fetchRows, get, requireVisible } from '../../../engine/fetch.ts'
import { present } from '../../../engine/present.ts'
import { readId } from '../../../engine/query.ts'
import type { Incoming, Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { accept, acceptBody, accepted } from './accept.ts'
import { cancel } from './cancel.ts'
import { downloadRoutes } from './download-routes.ts'
import { type DetonationRequest, permissionsFor, requestBody, requestDetonation } from './request.ts'

const detonation = z.looseObject({})

interface Made {
  readonly rows: readonly AnyRow[]
  readonly isSingle: boolean
}

/** Submits a sample to detonators. */
const create: Route<DetonationRequest, Made> = {
  method: 'POST',
  path: '/detonations',
  permission: 'modify detonations',
  // Content is stored before the transaction.
  isDetached: true,
  doc: {
    operationId: 'create_detonations',
    summary:
      'Submit a file or an address to one detonator or several. The response is a list if `detonators` was given. What is under way or has a valid result is not submitted again',
    tag: 'detonations',
    body: z.object({ data: requestBody }),
    example: { data: { detonators: [1], url: 'https://login.bank.example/', tlp_color: 'GREEN' } },
    success: { 201: z.object({ data: z.union([detonation, z.array(detonation)]) }) },
    refusals: [400, 409, 413],
  },
  parse: ({ body }) => parseBody(requestBody, body),
  guards: (body) => ['read detonations', ...(body === undefined ? [] : permissionsFor(body))],
  run: async (ctx, body) => {
    const ids = await requestDetonation(ctx, body)
    return { rows: await fetchRows(ctx, resourceOf(ctx, 'detonations'), ids), isSingle: body.detonators === undefined }
  },
  answer: ({ rows, isSingle }, ctx) => {
    const data = rows.map((row) => shown(ctx, row))
    return { status: 201, body: { data: isSingle ? data[0] : data } }
  },
}

const shown = (ctx: Context, row: AnyRow) => present(ctx, resourceOf(ctx, 'detonations'), row)

const idIn = (ctx: Context, { params }: Incoming) => readId(resourceOf(ctx, 'detonations'), params.id ?? '')

const cancelDetonation = defineAction({
  name: 'cancel_detonations',
  doc: 'End a detonation that you asked for. It goes on if others asked for it as well',
  tag: 'detonations',
  method: 'POST',
  path: '/detonations/:id/cancel',
  permission: 'modify detonations',
  result: detonation,
  refusals: [404, 409],
  run: async (ctx, _, request) => {
    const id = idIn(ctx, request)
    await requireVisible(ctx, resourceOf(ctx, 'detonations'), id)
    await cancel(ctx, id)
    return shown(ctx, await get(ctx, resourceOf(ctx, 'detonations'), id))
  },
})

const acceptExtracts = defineAction({
  name: 'accept_detonations',
  doc: 'Make extracts of a detonation observables of your first group, with the verdicts of the report',
  tag: 'detonations',
  method: 'POST',
  path: '/detonations/:id/accept',
  permission: 'modify extracts',
  body: acceptBody,
  example: { extracts: [{ kind: 'domain', value: 'login.bank.example' }] },
  result: accepted,
  refusals: [404, 409],
  run: (ctx, body, request) => accept(ctx, idIn(ctx, request), body),
})

/** The endpoints of detonations that are not standard operations. */
export const detonationRoutes: readonly Route[] = [create, cancelDetonation, acceptExtracts, ...downloadRoutes]
