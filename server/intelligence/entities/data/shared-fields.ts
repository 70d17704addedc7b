import { z } from 'zod'
import { confidence } from '../records/confidence.ts'
import { dataAttachment } from '../records/data-attachment.ts'
import { externalReference } from '../records/external-reference.ts'
import { extract } from '../records/extract.ts'
import { informationSource } from '../records/information-source.ts'
import { markingSpecification } from '../records/marking-specification.ts'
import { recordOf, type Shape, words } from '../records/shape.ts'
import { time } from '../records/time.ts'

/** What the data of every entity may have, whatever its type. */
const common = {
  // A longer one would not fit an index.
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

/** What every object of STIX 2.1 may have. */
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

/** The data of one entity type: the common fields and those of its own, checked when they are present. */
export const dataOf = <T extends string, F extends Shape>(type: T, fields: F) =>
  recordOf({ type: z.literal(type), title: z.string().min(1) }, { ...common, ...stix, ...fields })

/** When something was first and last seen. */
export const seen = { first_seen: time, last_seen: time }
