import type { Context } from '../../engine/context.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { BASE } from './dialect.ts'
import { defineEndpoint, taxiiAnswer } from './endpoint.ts'
import { largestEnvelope } from './envelope.ts'
import { TAXII } from './media-type.ts'
import * as resources from './resources.ts'

/** The path of the API root, below the path of the TAXII server. */
export const ROOT = '/root'

const DESCRIPTION = 'Threat intelligence that this installation publishes and accepts.'

/** The title of the installation for TAXII clients. */
async function titleOf({ db }: Context): Promise<string> {
  const { taxii_server_name, server_name } = await readSetting(db, serverSetting)
  return taxii_server_name || server_name
}

/** 4.1: lists the API roots, of which there is one. */
export const getDiscovery = defineEndpoint({
  path: '',
  permission: null,
  doc: {
    operationId: 'get_taxii_discovery',
    summary: 'TAXII: the server and its API root',
    success: { 200: resources.discovery },
  },
  run: titleOf,
  answer: (title, { baseUrl }) => {
    // 4.1.1: absolute URLs must use HTTPS.
    const root = `${baseUrl.startsWith('https:') ? baseUrl : ''}${BASE}${ROOT}/`
    return taxiiAnswer({ title, description: DESCRIPTION, default: root, api_roots: [root] })
  },
})

/** 4.2: describes the API root. */
export const getApiRoot = defineEndpoint({
  path: ROOT,
  permission: null,
  doc: {
    operationId: 'get_taxii_api_root',
    summary: 'TAXII: the API root',
    success: { 200: resources.apiRoot },
  },
  run: titleOf,
  answer: (title, ctx) =>
    taxiiAnswer({ title, description: DESCRIPTION, versions: [TAXII], max_content_length: largestEnvelope(ctx) }),
})
