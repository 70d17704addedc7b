import { sql } from 'kysely'
import { z } from 'zod'
import { toUrl } from '../../../engine/reference.ts'

/** The records of results. */

export const entity = z.object({
  entity_id: z.string().nullable(),
  entity_type: z.string(),
  meta_stix_id: z.string().nullable(),
  value: z.string(),
})

export const extract = z.object({
  kind: z.string(),
  value: z.string(),
  classification: z.enum(['good', 'bad', 'unknown']),
  confidence: z.enum(['low', 'medium', 'high']),
  link_type: z.string().nullable(),
})

export const attack = z.object({ tactic_id: z.string().nullable(), technique_id: z.string().nullable() })

export const process = z.object({
  pid: z.number().nullable(),
  parent: z.number().nullable(),
  name: z.string(),
  command_line: z.string().nullable(),
})

export const network = z.object({
  protocol: z.string(),
  host: z.string().nullable(),
  address: z.string().nullable(),
  port: z.number().nullable(),
  url: z.string().nullable(),
})

export const signature = z.object({
  name: z.string(),
  description: z.string().nullable(),
  severity: z.number().nullable(),
  techniques: z.array(z.string()),
})

export const dropped = z.object({
  name: z.string(),
  size: z.number().nullable(),
  md5: z.string().nullable(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
})

export const screenshot = z.object({ filename: z.string(), url: z.string() })

/** Ends a detonation `t` for its requester `r`, who keeps seeing what is known of it now. */
export const AS_IT_IS = sql`
  ended_at = now(), submitted_at = t.submitted_at, vendor_url = t.vendor_url, was_known = t.was_known`

/** Screenshots are stored with the ids of their attachments, and shown with the addresses of their downloads. */
export const withAddresses = (baseUrl: string, stored: unknown): unknown =>
  (stored as readonly { id: string; filename: string }[]).map(({ id, filename }) => ({
    filename,
    url: `${toUrl(baseUrl, 'attachments', id)}/download`,
  }))
