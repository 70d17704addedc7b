import { z } from 'zod'
import { confidence } from '../records/confidence.ts'
import { dataAttachment } from '../records/data-attachment.ts'
import { externalReference } from '../records/external-reference.ts'
import { extract } from '../records/extract.ts'
import { informationSource } from '../records/information-source.ts'
import { markingSpecification } from '../records/marking-specification.ts'
import { recordOf, type Shape, words } from '../records/shape.ts'
import { time } from '../records/time.ts'

/** The optional fields of every entity type. */
const common = {
  // A longer id would not fit into an index.
  id: z.string().min(1).max(500),
  description: z.string(),
  short_description: z.string(),
  description_structuring_format: z.string(),
  confidence,
  timestamp: time.nullable(),
  extracts: z.array(extract),
  attachments: z.array(dataAttachment),
  handling: z.array(markingSpecification),
  information_source: informationSource,
  external_references: z.array(externalReference),
}

/** The optional fields of every STIX 2.1 object. */
const stix = {
  name: z.string(),
  spec_version: z.string(),
  created: time,
  modified: time,
  created_by_ref: z.string(),
  revoked: z.boolean(),
  labels: words,
  lang: z.string(),
  object_marking_refs: words,
  granular_markings: z.array(z.looseObject({})),
  extensions: z.looseObject({}),
}

/** The schema of an entity type: the common fields and its own, which are all optional. */
export const dataOf = <T extends string, F extends Shape>(type: T, fields: F) =>
  recordOf({ type: z.literal(type), title: z.string().min(1) }, { ...common, ...stix, ...fields })

/** When something was first and last seen. */
export const seen = { first_seen: time, last_seen: time }
