import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { CONTENT_TYPES, type ContentTypeUrn, contentTypeOf, OFFERED_TYPES } from '../../formats/formats.ts'
import { parametersOf } from '../../intelligence/by-query/selection.ts'
import { contentConfiguration, EVERYTHING } from './configuration.ts'
import { named } from './selection.ts'

const MAX_FIELDS = 200

/** The content type of an export, in any spelling of its URN. */
export const contentType = z
  .string()
  .transform((text, check): ContentTypeUrn => {
    const found = contentTypeOf(text)
    if (found && !found.needsFields) return found.urn
    const offered = OFFERED_TYPES.map(({ urn }) => urn)
    check.addIssue({ code: 'custom', message: `must be one of ${offered.join(', ')}` })
    return z.NEVER
  })
  .describe('The content type of the document, as a URN.')

const configuration = contentConfiguration
  .nullable()
  .default(null)
  .describe('What is exported with the entities, and what is left out; null for everything that you see.')

/** The columns of a CSV export. */
export const includeFields = z
  .array(string(1, 500))
  .min(1)
  .max(MAX_FIELDS)
  .describe('Columns, by the names that queries and `attributes` use: `data.title`, `meta.tags`, `observables`.')

/** The options of an export. */
export const exporting = {
  content_type: contentType,
  content_configuration: configuration,
  sign: z.boolean().default(false).describe('Whether the document is signed with the key of the installation.'),
}

/** The options of a CSV export with chosen columns. */
export const extracting = { include_fields: includeFields, content_configuration: configuration, sign: exporting.sign }

/** The parameters of a run that writes an export block. */
export const exportParameters = parametersOf({
  ...named,
  content_type: z.enum(CONTENT_TYPES.map(({ urn }) => urn)),
  content_configuration: configuration.transform((given) => given ?? EVERYTHING),
  include_fields: includeFields.nullable().default(null),
  sign: exporting.sign,
  base_url: z.string().max(2000).default('').describe('The address of the installation in the request.'),
})

export type ExportParameters = z.output<typeof exportParameters>
