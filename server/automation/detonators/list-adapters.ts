import { z } from 'zod'
import type { Server } from '../../server.ts'
import { type Adapter, DETONATION_TYPES } from './adapter.ts'
import { adaptersOf } from './find-adapter.ts'
import { shownTerms } from './terms.ts'

/** An adapter as it is shown, with the names that its members have in detonators. */
export const shownAdapter = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  supported_detonation_types: z.array(z.enum(DETONATION_TYPES)),
  supported_extract_types: z.array(z.string()).describe('The types of observables that its reports can yield.'),
  terms: z.array(shownTerms).describe('What each user has to accept before they submit samples.'),
  ui_form_schema: z
    .array(z.looseObject({}))
    .describe('The fields of the parameters and of the options of a submission, as a form.'),
})

/** The adapters of this installation, by title. */
export const listAdapters = (server: Pick<Server, 'sandboxes'>): z.output<typeof shownAdapter>[] =>
  adaptersOf(server)
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(show)

const show = ({ name, title, description, supportedTypes, extractTypes, terms, form }: Adapter) => ({
  name,
  title,
  description,
  supported_detonation_types: [...supportedTypes],
  supported_extract_types: [...extractTypes],
  terms: [...terms],
  ui_form_schema: form.map((field) => ({ ...field })),
})
