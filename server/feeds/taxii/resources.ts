import { z } from 'zod'

// The resources of TAXII 2.1, for the OpenAPI document. Empty lists are omitted.

const timestamp = z.string().describe('In UTC with microseconds: `2024-01-29T07:42:07.059329Z`.')

export const discovery = z.object({
  title: z.string(),
  description: z.string().optional(),
  contact: z.string().optional(),
  default: z.string(),
  api_roots: z.array(z.string()).describe('URLs, or paths if this server is not reached by HTTPS.'),
})

export const apiRoot = z.object({
  title: z.string(),
  description: z.string().optional(),
  versions: z.array(z.string()),
  max_content_length: z.int().describe('The largest envelope that can be added, in bytes.'),
})

export const collection = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string().optional(),
  alias: z.string().optional(),
  can_read: z.boolean(),
  can_write: z.boolean(),
  media_types: z.array(z.string()),
})

export const collectionList = z.object({ collections: z.array(collection).optional() })

const pageOf = {
  more: z.boolean().optional(),
  next: z.string().optional(),
}

const stixObject = z.looseObject({ type: z.string(), id: z.string() })

export const envelope = z.object({ ...pageOf, objects: z.array(stixObject).optional() })

/** An envelope that clients send. */
export const sentEnvelope = z.object({ objects: z.array(stixObject).min(1) })

export const manifest = z.object({
  ...pageOf,
  objects: z
    .array(z.object({ id: z.string(), date_added: timestamp, version: timestamp, media_type: z.string() }))
    .optional(),
})

export const versionList = z.object({ ...pageOf, versions: z.array(timestamp).optional() })

const details = z.array(z.object({ id: z.string(), version: timestamp, message: z.string().optional() })).optional()

export const status = z.object({
  id: z.uuid(),
  status: z.enum(['pending', 'complete']),
  request_timestamp: timestamp,
  total_count: z.int(),
  success_count: z.int(),
  successes: details,
  failure_count: z.int(),
  failures: details,
  pending_count: z.int(),
  pendings: details,
})

export const errorMessage = z.object({
  title: z.string(),
  description: z.string(),
  error_id: z.string(),
  http_status: z.string(),
  details: z.object({ faults: z.array(z.string()) }).optional(),
})
