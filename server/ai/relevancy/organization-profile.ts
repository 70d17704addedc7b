import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { defineSetting } from '../../settings/setting.ts'

const list = (doc: string) => z.array(string(1, 200)).max(200).default([]).describe(doc)

/** What makes intelligence relevant to the organisation that runs this installation. */
export const organizationProfile = defineSetting({
  name: 'organization-profile',
  doc: 'what makes intelligence relevant to your organisation; sent to AI providers when they judge relevance',
  required: ['sectors', 'countries', 'technologies', 'description'],
  schema: z.object({
    sectors: list('The sectors in which the organisation works.'),
    countries: list('The countries and regions in which it works.'),
    technologies: list('Products, platforms and services that it depends on.'),
    description: string(0, 10_000)
      .default('')
      .describe('Anything else that matters, such as business partners, sites or past incidents.'),
  }),
})
